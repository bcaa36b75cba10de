/** Exits without losing output to a slow pipe. */

/**
 * Exits after the reader has taken all output: Node writes to pipes in the background, and `process.exit` drops what doesn't fit
 * (64 KiB on Linux). Doesn't wait for a reader that is gone.
 */
export async function exitWhenWritten(code: number): Promise<never> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise((resolve) => {
      stream.once("error", resolve);
      stream.write("", resolve);
    });
  process.exit(code);
}
