// Everything that is held on a member, as JSON. The tables say themselves which rows are whose, so that a new one cannot be
// forgotten.
import { eq, getTableColumns, is, or, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "#db/client.ts";
import * as schema from "#db/schema/index.ts";
import type { ObjectStorage } from "#outside/object-storage.ts";
import { findAvatarFile } from "./avatars.ts";
import { hashAddress } from "./erasure.ts";

type Owner = { user_id: string; email: string };
/** What of a person a column may hold; the hash is that of `hashAddress`. */
type Held = keyof Owner | "email_hash";

/** Columns that say whose a row is without a foreign key to `users`, and what of the person they hold. */
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

/** Tables that hold something of people and are not exported, each with its reason, which the export repeats. */
export const EXCUSED: Record<string, string> = {
  invitations: "Codes for registering, as hashes until they end; they do not say who was given one.",
  ip_blocks: "Network addresses that are kept out for a time; they are tied to no account.",
  rate_limits: "Counted tries under hashed names, which end within a day; they cannot be traced back to a person.",
  verifications: "One-time links and codes, kept as hashes until they end.",
};

/** Named in the export, with their content left out: whoever reads the file could use it against the account. */
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

/** What a row tells of the person that a column names: left out where that is somebody else, in whose act the member had a part. */
const TELLS_OF: Record<string, readonly string[]> = {
  "audit_events.actor_id": ["actor_id", "ip", "user_agent"],
  "notification_deliveries.mail_to": ["mail_to", "last_error", "answer"],
  "notification_deliveries.reply_to": ["reply_to"],
};

/** Addresses that a writer typed: what was written from there is a member's only if they have confirmed that it is theirs. */
const TYPED: ReadonlySet<string> = new Set(["contacts.email", "notification_deliveries.reply_to"]);

const LEFT_OUT = "(secret, not included)";
const OF_OTHERS = "(somebody else's, not included)";

/** Every table of the schema. */
export const listTables = (): PgTable[] =>
  Object.values(schema).filter((value): value is PgTable & typeof value => is(value, PgTable));

/** The columns by which a table's rows belong to a person. */
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

/** Whose rows are a member's because they hang on one of their targets: what it follows, and what it was told. */
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
  /** By table, the rows as they are kept; secrets are named and left out. */
  tables: Record<string, Record<string, unknown>[]>;
  avatar: { type: string; base64: string } | null;
  not_included: Record<string, string>;
};

/** Collects it. @throws {StorageError} when the avatar's file cannot be read: half an export would be called a whole one. */
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

/** A row under the names of its columns, without secrets and without what it tells of others. */
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
