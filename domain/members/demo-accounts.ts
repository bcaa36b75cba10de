// Accounts of a demo: one of each role, with passwords that are made for that run and shown to whoever started it.
import { randomInt } from "node:crypto";
import { inArray } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { roles, users } from "#db/schema/index.ts";
import { hashPassword } from "../sign-in/passwords.ts";
import type { Role } from "./roles.ts";
import { createUser, endSessions, findUserByEmail, setPasswordHash } from "./users.ts";

/** A domain that no mail ever reaches. */
const ADDRESSES: Record<Role, string> = {
  admin: "admin@demo.invalid",
  moderator: "moderator@demo.invalid",
  user: "member@demo.invalid",
};

/** Whoever has one of these was made by a demo. */
export const DEMO_ADDRESSES: readonly string[] = Object.values(ADDRESSES);

export type DemoAccount = { role: Role; email: string; password: string };

/** Makes the three accounts, or gives those of the last run new passwords and signs them out. */
export async function createDemoAccounts(db: Db): Promise<DemoAccount[]> {
  const made: DemoAccount[] = [];
  for (const [role, email] of Object.entries(ADDRESSES) as [Role, string][]) {
    const password = randomPassword();
    const passwordHash = await hashPassword(password);
    await db.transaction(async (tx) => {
      const found = await findUserByEmail(tx, email);
      const user = found ?? (await createUser(tx, { email, passwordHash, locale: "en", emailVerified: true }));
      await setPasswordHash(tx, user.id, passwordHash);
      await tx
        .insert(roles)
        .values({ user_id: user.id, role })
        .onConflictDoUpdate({ target: roles.user_id, set: { role } });
      await endSessions(tx, user.id);
    });
    made.push({ role, email, password });
  }
  return made;
}

/** For a start without the demo: nothing of it stays. */
export async function removeDemoAccounts(db: Db): Promise<void> {
  await db.delete(users).where(inArray(users.email, [...DEMO_ADDRESSES]));
}

function randomPassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const part = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return [part(), part(), part()].join("-");
}
