// Exports all personal data on a member as JSON. Finds the rows by the tables' foreign keys and columns, so that a new table
// can't be forgotten.
import { eq, getTableColumns, is, or, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "#db/client.ts";
import * as schema from "#db/schema/index.ts";
import type { ObjectStorage } from "#outside/object-storage.ts";
import { findAvatarFile } from "./avatars.ts";
import { hashAddress } from "./erasure.ts";

type Owner = { user_id: string; email: string };
/** A column's personal data; the hash is `hashAddress`'s. */
type Held = keyof Owner | "email_hash";

/** Columns that identify a row's owner without a foreign key to `users`, and what they hold of the person. */
export const PERSONAL_COLUMNS: Record<string, Held> = {
  "users.user_id": "user_id",
  "users.email": "email",
  "audit_events.actor_id": "user_id",
  "audit_events.subject_id": "user_id",
  "notification_deliveries.mail_to": "email",
  "notification_deliveries.reply_to": "email",
  "contacts.email": "email",
  "erased_accounts.email_hash": "email_hash",
};

/** Tables with personal data that aren't exported, each with its reason, which the export repeats. */
export const EXCUSED: Record<string, string> = {
  invitations: "Codes for registering, as hashes until they end; they do not say who was given one.",
  ip_blocks: "Network addresses that are kept out for a time; they are tied to no account.",
  rate_limits: "Counted tries under hashed names, which end within a day; they cannot be traced back to a person.",
  verifications: "One-time links and codes, kept as hashes until they end.",
};

/** Named in the export without content: a reader of the file could use it against the account. */
export const SECRET_COLUMNS: ReadonlySet<string> = new Set([
  "accounts.password_hash",
  "accounts.access_token",
  "accounts.refresh_token",
  "accounts.id_token",
  "address_batch_lines.password",
  "api_keys.key_hash",
  "email_changes.old_token_hash",
  "email_changes.new_token_hash",
  "erased_accounts.email_hash",
  "outposts.token_hash",
  "outposts.nonce",
  "program_sessions.access_token_hash",
  "program_sessions.refresh_family_hash",
  "program_sessions.refresh_token_hash",
  "sessions.token_hash",
  "two_factors.secret",
  "two_factors.recovery_codes",
  "two_factors.recovery_secret",
  "notification_deliveries.payload",
  "notification_targets.address_hash",
  "notification_targets.address_sealed",
  "notification_targets.created_from",
  "notification_targets.created_from_network",
  "notification_targets.browser_hash",
]);

/** Fields that describe the person in the named column: omitted when that is another person and the member only took part. */
const TELLS_OF: Record<string, readonly string[]> = {
  "audit_events.actor_id": ["actor_id", "ip", "user_agent"],
  "notification_deliveries.mail_to": ["mail_to", "last_error", "answer"],
  "notification_deliveries.reply_to": ["reply_to"],
};

/** Addresses that a writer typed: their rows belong to a member only if the member has confirmed the address. */
const TYPED: ReadonlySet<string> = new Set(["contacts.email", "notification_deliveries.reply_to"]);

const LEFT_OUT = "(secret, not included)";
const OF_OTHERS = "(somebody else's, not included)";

/** Every table of the schema. */
export const listTables = (): PgTable[] =>
  Object.values(schema).filter((value): value is PgTable & typeof value => is(value, PgTable));

/** The columns that tie a table's rows to a person. */
export function ownerColumns(table: PgTable): { column: PgColumn; holds: Held }[] {
  const { name, foreignKeys } = getTableConfig(table);
  const toUsers = new Set(
    foreignKeys.flatMap((key) => {
      const { columns, foreignTable } = key.reference();
      return foreignTable === schema.users ? columns.map((column) => column.name) : [];
    }),
  );
  return Object.values(getTableColumns(table)).flatMap((column) => {
    const holds = toUsers.has(column.name) ? "user_id" : PERSONAL_COLUMNS[`${name}.${column.name}`];
    return holds ? [{ column, holds }] : [];
  });
}

/** Rows that belong to a member through one of their targets: its follows and deliveries. */
function ofTargets(table: PgTable, userId: string): SQL[] {
  return getTableConfig(table).foreignKeys.flatMap((key) => {
    const { columns, foreignTable } = key.reference();
    const { target_id, user_id } = schema.notificationTargets;
    return foreignTable === schema.notificationTargets
      ? columns.map(
          (column) => sql`${column} in (select ${target_id} from ${foreignTable} where ${user_id} = ${userId})`,
        )
      : [];
  });
}

export type AccountExport = {
  exported_at: string;
  user_id: string;
  /** Stored rows by table; secrets are named and left out. */
  tables: Record<string, Record<string, unknown>[]>;
  avatar: { type: string; base64: string } | null;
  not_included: Record<string, string>;
};

/** Collects the export. @throws {StorageError} when the avatar's file can't be read: a partial export would look complete. */
export async function exportAccount(
  parts: { db: Db; storage: ObjectStorage; secret: string },
  { user_id, email }: Owner,
): Promise<AccountExport> {
  const owner = { user_id, email, email_hash: hashAddress(parts.secret, email) };
  const [user] = await parts.db.select().from(schema.users).where(eq(schema.users.id, user_id));
  const tables: AccountExport["tables"] = {};
  for (const table of listTables()) {
    const { name } = getTableConfig(table);
    const owners = ownerColumns(table).filter(
      ({ column }) => user?.emailVerified !== false || !TYPED.has(`${name}.${column.name}`),
    );
    const throughTargets = ofTargets(table, user_id);
    if (owners.length + throughTargets.length === 0 || EXCUSED[name]) continue;
    const mine: SQL[] = owners.map(({ column, holds }) =>
      column.columnType === "PgUUID" || holds === "email_hash"
        ? eq(column, owner[holds])
        : sql`lower(${column}) = lower(${owner[holds]})`,
    );
    const rows = await parts.db
      .select()
      .from(table)
      .where(or(...mine, ...throughTargets));
    tables[name] = rows.map((row) => asKept(table, name, row, owner));
  }
  const avatar = await findAvatarFile(parts.storage, user_id);
  return {
    exported_at: new Date().toISOString(),
    user_id,
    tables,
    avatar: avatar && { type: "image/webp", base64: avatar.toString("base64") },
    not_included: EXCUSED,
  };
}

/** A row by column names, without secrets and without fields about others. */
function asKept(
  table: PgTable,
  name: string,
  row: Record<string, unknown>,
  owner: Record<Held, string>,
): Record<string, unknown> {
  const columns = Object.entries(getTableColumns(table));
  const ofOthers = new Set(
    columns.flatMap(([property, column]) => {
      const holds = PERSONAL_COLUMNS[`${name}.${column.name}`];
      const whose = row[property];
      const own = typeof whose !== "string" || !holds || whose.toLowerCase() === owner[holds].toLowerCase();
      return own ? [] : (TELLS_OF[`${name}.${column.name}`] ?? []);
    }),
  );
  return Object.fromEntries(
    columns.map(([property, column]) => {
      const value = row[property];
      if (value === null) return [column.name, null];
      if (ofOthers.has(column.name)) return [column.name, OF_OTHERS];
      return [column.name, SECRET_COLUMNS.has(`${name}.${column.name}`) ? LEFT_OUT : value];
    }),
  );
}
