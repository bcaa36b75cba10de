// Whether an account is that of an active member now: the one question, in SQL, for everything that only members may do.
import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { users } from "#db/schema/index.ts";

/** The table `users`, or an alias of it. */
type Account = { deactivated_at: PgColumn; banned_until: PgColumn };

/** Whether an account is banned now, by the database's clock. Never null. */
export const isBanned = (account: Account = users): SQL<boolean> =>
  sql<boolean>`(${account.banned_until} is not null and ${account.banned_until} > now())`;

/** Whether an account is neither closed nor banned now. True for a missing row of a left join too: test its key beside it. */
export const isActiveMember = (account: Account = users): SQL<boolean> =>
  sql<boolean>`(${account.deactivated_at} is null and not ${isBanned(account)})`;
