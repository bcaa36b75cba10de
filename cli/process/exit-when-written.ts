/** The end of a program whose output may be read through a pipe, slower than it is written. */

/**
 * Ends this process when what it wrote has been taken by whoever reads it: Node writes to pipes in the background, and
 * `process.exit` alone throws away what does not fit into one (64 KiB on Linux). A reader that is gone is not waited for.
 */
export async function exitWhenWritten(code: number): Promise<never> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise((resolve) => {
      stream.once("error", resolve);
      stream.write("", resolve);
    });
  process.exit(code);
}
