/**
 * Makes common-passwords.bin from a list of passwords, the most common first, one a line: the first four bytes of the
 * SHA-256 of each in small letters, sorted, for the first 60,000 that are long enough to be accepted otherwise.
 *
 * Made from SecLists (MIT), Passwords/Common-Credentials/10-million-password-list-top-1000000.txt:
 * node content/passwords/make.ts <list>
 */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const KEPT = 60_000;
/** Shorter ones are refused by their length: domain/accounts/passwords.ts. */
const PASSWORD_MIN = 8;

const [list = ""] = process.argv.slice(2);
const passwords = (await readFile(list, "utf8")).split(/\r?\n/).map((line) => line.toLowerCase());
const long = [...new Set(passwords.filter((password) => [...password].length >= PASSWORD_MIN))].slice(0, KEPT);
const marks = long.map((password) => createHash("sha256").update(password).digest().readUInt32BE(0));
const sorted = Uint32Array.from(new Set(marks)).sort();
const bytes = Buffer.alloc(sorted.length * 4);
for (const [at, mark] of sorted.entries()) bytes.writeUInt32BE(mark, at * 4);
await writeFile(path.join(import.meta.dirname, "common-passwords.bin"), bytes);
process.stdout.write(`${sorted.length} passwords, ${bytes.length} bytes\n`);
