// Creates secrets at the first run and stores them in the data folder, readable by its owner only.
import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { ConfigError } from "#config";

/**
 * Reads the secret of this name in `dataDir`/secrets, or creates it (256 random bits, file mode 0600). Two processes that create it
 * at once end with the same one.
 */
export async function loadSecret(dataDir: string, name: string): Promise<string> {
  const folder = path.join(dataDir, "secrets");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made = randomBytes(32).toString("base64url");
  try {
    // wx: the second process reads what the first has written.
    await writeFile(path.join(folder, name), made, { mode: 0o600, flag: "wx" });
    return made;
  } catch (error) {
    const found = (error as NodeJS.ErrnoException).code === "EEXIST" ? await readSecret(dataDir, name) : null;
    if (found === null) throw error;
    return found;
  }
}

/** Reads a secret without creating one; null: there is none. @throws {ConfigError} when the file holds no secret */
export async function readSecret(dataDir: string, name: string): Promise<string | null> {
  const file = path.join(dataDir, "secrets", name);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const found = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (found === null) return null;
    if (found.trim().length >= 32) return found.trim();
    // The process that creates the file hasn't written it yet.
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new ConfigError(
    `${file} is too short to be a secret. Put it back from a backup; without one, delete it: the next start says what is lost with it.`,
  );
}
