/** Several test files in this process, one after the other, as if each had one of its own: its hooks run around its tests. */
import path from "node:path";
import { describe } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = path.join(import.meta.dirname, "../..");

/** Registers the tests of the files at these addresses, in this order. Tests of a file alone stand at the top, as in its own process. */
export async function testTogether(urls: string[]): Promise<void> {
  if (urls.length === 1) await import(String(urls[0]));
  else for (const url of urls) await describe(path.relative(ROOT, fileURLToPath(url)), () => import(url));
}
