// Passwords: argon2id by Node's own implementation, in the thread pool, a few at a time.
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";

/** OWASP's parameters for argon2id: 19 MiB, 2 passes, 1 lane. */
const ARGON2 = { memory: 19_456, passes: 2, parallelism: 1 } as const;

/** In characters, as `passwordLength` counts them. */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;

/** How many characters a password has; an emoji is one, though JavaScript takes it for two. */
export const passwordLength = (password: string): number => [...password].length;

/**
 * One more than there are cores, so that none waits for Postgres; more would only be hungrier (19 MiB each), and the pool
 * has four threads, which files and DNS need as well.
 */
const AT_ONCE = Math.min(3, availableParallelism() + 1);
let running = 0;
const waiting: (() => void)[] = [];

/** A hash in PHC form. The text is brought to NFKC first, so that a password is the same from every keyboard. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive(password, nonce, ARGON2, 32);
  return `$argon2id$v=19$m=${ARGON2.memory},t=${ARGON2.passes},p=${ARGON2.parallelism}$${phc(nonce)}$${phc(tag)}`;
}

/** Whether a password is the one that was hashed. A hash that is no PHC form of argon2id fits no password. */
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
    // Whoever waits takes the place over; only without anybody does it become free.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
