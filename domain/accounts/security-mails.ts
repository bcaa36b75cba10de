// Sends mails at once when an account's login methods change or a user becomes an admin, queued in the change's own transaction.
import { and, eq, ne } from "drizzle-orm";
import type { SecurityChange } from "#content/mails/security-changed.ts";
import type { Db } from "#db/client.ts";
import { profiles, roles, users } from "#db/schema/index.ts";
import { queueMail } from "../mails.ts";
import type { Origin } from "../site/audit.ts";
import { isActiveMember } from "./active-members.ts";
import { readDevice } from "./device-name.ts";

/**
 * Notifies the owner of an account of a change, with its time and origin.
 * @param told `origin`: the request that made the change, null for a command; `to`: the mailbox, if it isn't the account's current
 * one.
 */
export async function tellSecurityChange(
  tx: Db,
  told: { user_id: string; what: SecurityChange; origin: Origin | null; to?: string },
): Promise<void> {
  const [user] = await tx
    .select({ email: users.email, locale: profiles.locale })
    .from(users)
    .innerJoin(profiles, eq(profiles.user_id, users.id))
    .where(eq(users.id, told.user_id));
  if (!user) return;
  await queueMail(tx, {
    to: told.to ?? user.email,
    locale: user.locale,
    template: "security-changed",
    data: { what: told.what, changed_at: new Date().toISOString(), ...whereFrom(told.origin) },
  });
}

/** Notifies a new admin, and all other admins. */
export async function tellNewAdmin(tx: Db, userId: string, origin: Origin | null): Promise<void> {
  await tellSecurityChange(tx, { user_id: userId, what: "admin-made", origin });
  const [made] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  const others = await tx
    .select({ email: users.email, locale: profiles.locale })
    .from(roles)
    .innerJoin(users, eq(users.id, roles.user_id))
    .innerJoin(profiles, eq(profiles.user_id, roles.user_id))
    .where(and(eq(roles.role, "admin"), ne(roles.user_id, userId), isActiveMember()));
  for (const { email, locale } of others) {
    await queueMail(tx, {
      to: email,
      locale,
      template: "new-admin",
      data: { email: made?.email ?? "", user_id: userId, changed_at: new Date().toISOString(), ...whereFrom(origin) },
    });
  }
}

/** Describes a request's origin for a mail: our own names for browser and system, and the address without its last part. */
function whereFrom(origin: Origin | null): {
  browser: string | null;
  system: string | null;
  network: string | null;
} {
  return { ...readDevice(origin?.user_agent ?? null), network: origin ? roughAddress(origin.ip) : null };
}

/** `198.51.100.…` or `2001:db8:7:…`: enough to recognise one's own provider. Null: it is no address. */
function roughAddress(ip: string): string | null {
  const four = /^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/i.exec(ip)?.[1];
  if (four) return `${four}.…`;
  const six = /^[\da-f:]{2,39}$/i.test(ip) ? ip.split("::", 1)[0]?.split(":").slice(0, 3).join(":") : "";
  return six ? `${six}:…` : null;
}
