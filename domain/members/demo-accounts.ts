// Demo accounts: one per role, with passwords created for that run and shown to the user who started it.
import { randomInt } from "node:crypto";
import { inArray } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { roles, users } from "#db/schema/index.ts";
import { hashPassword } from "../accounts/passwords.ts";
import { createUser, endSessions, findUserByEmail, setPasswordHash } from "../accounts/users.ts";
import type { Role } from "./roles.ts";

/** A domain that never receives mail. */
const ADDRESSES: Record<Role, string> = {
  admin: "admin@demo.invalid",
  moderator: "moderator@demo.invalid",
  user: "member@demo.invalid",
};

/** Only a demo creates accounts with these addresses. */
export const DEMO_ADDRESSES: readonly string[] = Object.values(ADDRESSES);

export type DemoAccount = { role: Role; email: string; password: string };

/** Creates the three accounts, or gives existing ones new passwords and ends their sessions. */
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

/** Removes the demo accounts; for a start without the demo. */
export async function removeDemoAccounts(db: Db): Promise<void> {
  await db.delete(users).where(inArray(users.email, [...DEMO_ADDRESSES]));
}

function randomPassword(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  const part = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return [part(), part(), part()].join("-");
}
