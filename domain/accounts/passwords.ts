// Hashes passwords with Node's argon2id, in the thread pool, a few at a time.
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";

/** OWASP's parameters for argon2id: 19 MiB, 2 passes, 1 lane. */
const ARGON2 = { memory: 19_456, passes: 2, parallelism: 1 } as const;

/** In characters, as `passwordLength` counts them. */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;

/** Counts a password's characters; an emoji is one, though JavaScript counts two. */
export const passwordLength = (password: string): number => [...password].length;

/**
 * One more than there are cores, so that no core waits for Postgres; more would only need more memory (19 MiB each), and files and
 * DNS need the pool's four threads too.
 */
const AT_ONCE = Math.min(3, availableParallelism() + 1);
let running = 0;
const waiting: (() => void)[] = [];

/** Hashes to PHC form. Normalises to NFKC first, so that a password is the same from every keyboard. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive(password, nonce, ARGON2, 32);
  return `$argon2id$v=19$m=${ARGON2.memory},t=${ARGON2.passes},p=${ARGON2.parallelism}$${phc(nonce)}$${phc(tag)}`;
}

/** True if the password matches the hash. A hash that isn't argon2id in PHC form matches no password. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/.exec(hash);
  if (!match) return false;
  const [, memory, passes, parallelism, nonce = "", expected = ""] = match;
  const wanted = Buffer.from(expected, "base64");
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return timingSafeEqual(await derive(password, Buffer.from(nonce, "base64"), cost, wanted.length), wanted);
}

const phc = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");

async function derive(
  password: string,
  nonce: Buffer,
  cost: Pick<Argon2Parameters, "memory" | "passes" | "parallelism">,
  tagLength: number,
): Promise<Buffer> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await new Promise((resolve, reject) =>
      argon2("argon2id", { message: password.normalize("NFKC"), nonce, tagLength, ...cost }, (error, tag) =>
        error ? reject(error) : resolve(tag),
      ),
    );
  } finally {
    // Pass the slot to the next waiting call; free it only if none waits.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
