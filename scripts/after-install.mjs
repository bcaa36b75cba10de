/**
 * After `npm ci`: takes away what the package of Node brings to compile add-ons with, 67 MB of headers, most of them OpenSSL's for
 * sixty kinds of machines. Nothing here is compiled. Plain JavaScript for Node 20.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Node itself lies in a package for each kind of machine, inside the one that is asked for. */
const KINDS = fileURLToPath(new URL("../node_modules/node/node_modules", import.meta.url));

for (const name of existsSync(KINDS) ? readdirSync(KINDS) : []) {
  rmSync(path.join(KINDS, name, "include"), { recursive: true, force: true });
}
