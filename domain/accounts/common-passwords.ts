// Finds a password's weakness offline: too short, too long, common, or the address itself.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { PASSWORD_MAX, PASSWORD_MIN, passwordLength } from "./passwords.ts";

export type Weakness = "short" | "long" | "common" | "like-email";

/** Sorted four-byte hashes; content/passwords/make.ts says of what. One password in 70,000 is taken for a common one. */
const LIST = new URL("../../content/passwords/common-passwords.bin", import.meta.url);
let marks: Promise<Buffer> | undefined;

/** Finds the first weakness of a password, or null. There are no composition rules: length is what counts. */
export async function findWeakness(password: string, email: string): Promise<Weakness | null> {
  const length = passwordLength(password);
  if (length < PASSWORD_MIN) return "short";
  if (length > PASSWORD_MAX) return "long";
  const plain = password.toLowerCase();
  if (plain === email || plain === email.split("@", 1)[0]) return "like-email";
  return (await isCommon(plain)) || new Set(plain).size < 3 ? "common" : null;
}

async function isCommon(plain: string): Promise<boolean> {
  marks ??= readFile(LIST);
  const list = await marks;
  const wanted = createHash("sha256").update(plain).digest().readUInt32BE(0);
  let [low, high] = [0, list.length / 4 - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const mark = list.readUInt32BE(middle * 4);
    if (mark === wanted) return true;
    if (mark < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
