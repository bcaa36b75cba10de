// SQL conditions for active members: the single check behind everything that only members may do.
import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { users } from "#db/schema/index.ts";

/** The table `users`, or an alias of it. */
type Account = { deactivated_at: PgColumn; banned_until: PgColumn };

/** True if the account is banned now, by the database's clock. Never null. */
export const isBanned = (account: Account = users): SQL<boolean> =>
  sql<boolean>`(${account.banned_until} is not null and ${account.banned_until} > now())`;

/** True if the account is neither closed nor banned now. Also true for a missing left-join row: test its key too. */
export const isActiveMember = (account: Account = users): SQL<boolean> =>
  sql<boolean>`(${account.deactivated_at} is null and not ${isBanned(account)})`;
