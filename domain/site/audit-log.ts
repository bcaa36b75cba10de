// The audit log for admins: searched, filtered by action and person, page by page, or complete as CSV.
import { and, asc, desc, eq, inArray, lt, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { type AuditDetails, auditEvents, profiles, users } from "#db/schema/index.ts";
import { contains, countUpTo, type ListPage, type ListQuery, readPage } from "../paging.ts";
import { AUDIT_WHATS, type AuditWhat } from "./audit.ts";

export const AUDIT_SORTS = ["happened_at"] as const;
type AuditSort = (typeof AUDIT_SORTS)[number];

/** `what`: a kind of action. `who`: part of the actor's name or address. */
export type AuditFilter = { what: AuditWhat | null; who: string };

/** Reads ?what= and ?who= from a URL. */
export function readAuditFilter(url: URL): AuditFilter {
  const what = AUDIT_WHATS.find((known) => known === url.searchParams.get("what")) ?? null;
  return { what, who: (url.searchParams.get("who") ?? "").replaceAll("\0", "").trim().slice(0, 100) };
}

export type AuditRow = {
  event_id: number;
  /** ISO 8601. */
  happened_at: string;
  what: string;
  /** Null: no logged-in user. The name is null once the account is gone. */
  actor: { user_id: string; name: string | null; email: string | null } | null;
  subject: { type: string; id: string; name: string | null } | null;
  ip: string | null;
  user_agent: string | null;
  details: AuditDetails | null;
};

/** As in the index audit_events_parts (migration 0014). */
const searched = sql`(coalesce(${auditEvents.subject_id}, '') || E'\\n' || coalesce(${auditEvents.ip}, '') || E'\\n' || coalesce(${auditEvents.details}::text, ''))`;

/** Up to this many people are looked up in the index of actors; beyond that, each row's actor is checked. */
const FEW_PEOPLE = 1_000;

/** "The actor's name or address contains this text." */
async function actedBy(db: Db, text: string): Promise<SQL> {
  // Query each table by itself, so that each can use its index.
  const { rows: actors } = await db.execute<{ user_id: string }>(sql`
    select ${users.id} from ${users} where ${contains(users.email, text)}
    union all select ${profiles.user_id} from ${profiles} where ${contains(profiles.user_nick_name, text)}
    limit ${FEW_PEOPLE + 1}`);
  if (actors.length <= FEW_PEOPLE) {
    return inArray(
      auditEvents.actor_id,
      actors.map(({ user_id }) => user_id),
    );
  }
  // The offset stops Postgres from listing all those people first.
  return sql`exists (select from ${users} join ${profiles} using (user_id)
    where ${users.id} = ${auditEvents.actor_id} and (${contains(users.email, text)} or ${contains(profiles.user_nick_name, text)}) offset 0)`;
}

async function conditions(db: Db, q: string, { what, who }: AuditFilter): Promise<SQL | undefined> {
  const [byWho, byQ] = await Promise.all([who ? actedBy(db, who) : undefined, q ? actedBy(db, q) : undefined]);
  return and(what ? eq(auditEvents.what, what) : undefined, byWho, byQ ? or(contains(searched, q), byQ) : undefined);
}

async function readRows(
  db: Db,
  found: SQL | undefined,
  order: SQL,
  limit: number,
  offset: number,
): Promise<AuditRow[]> {
  // Join names only for the rows of the page.
  const page = db
    .select({ event_id: auditEvents.event_id })
    .from(auditEvents)
    .where(found)
    .orderBy(order)
    .limit(limit)
    .offset(offset);
  const rows = await db
    .select({ event: auditEvents, name: profiles.user_nick_name, email: users.email })
    .from(auditEvents)
    .leftJoin(users, eq(users.id, auditEvents.actor_id))
    .leftJoin(profiles, eq(profiles.user_id, auditEvents.actor_id))
    .where(inArray(auditEvents.event_id, page))
    .orderBy(order);
  const ids = rows.flatMap(({ event }) =>
    event.subject_type === "user" && /^[0-9a-f-]{36}$/.test(event.subject_id ?? "") ? [event.subject_id ?? ""] : [],
  );
  const named =
    ids.length === 0
      ? []
      : await db
          .select({ user_id: profiles.user_id, name: profiles.user_nick_name })
          .from(profiles)
          .where(inArray(profiles.user_id, [...new Set(ids)]));
  const names = new Map(named.map(({ user_id, name }) => [user_id, name]));
  return rows.map(({ event, name, email }) => ({
    event_id: event.event_id,
    happened_at: event.happened_at.toISOString(),
    what: event.what,
    actor: event.actor_id === null ? null : { user_id: event.actor_id, name, email },
    subject:
      event.subject_type === null
        ? null
        : { type: event.subject_type, id: event.subject_id ?? "", name: names.get(event.subject_id ?? "") ?? null },
    ip: event.ip,
    user_agent: event.user_agent,
    details: event.details,
  }));
}

/** Reads one page of the log. */
export async function listAuditEvents(
  db: Db,
  query: ListQuery<AuditSort>,
  filter: AuditFilter,
): Promise<ListPage<AuditRow, AuditSort>> {
  const found = await conditions(db, query.q, filter);
  // Never null, so that an index gives the order.
  const order = query.descending ? desc(auditEvents.event_id) : asc(auditEvents.event_id);
  return readPage(
    query,
    (most) => countUpTo(db, auditEvents, found, most),
    (limit, offset) => readRows(db, found, order, limit, offset),
  );
}

const BATCH = 1_000;
const COLUMNS = [
  "when",
  "what",
  "actor_id",
  "actor_name",
  "actor_email",
  "on_kind",
  "on_id",
  "ip",
  "user_agent",
  "details",
];

/** Streams the rows of a list, newest first, as CSV lines (RFC 4180), a batch at a time. */
export async function* auditCsv(db: Db, q: string, filter: AuditFilter): AsyncGenerator<string> {
  const found = await conditions(db, q, filter);
  // Without this mark spreadsheets assume another encoding.
  yield `\ufeff${csvLine(COLUMNS)}`;
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows = await readRows(db, and(found, lt(auditEvents.event_id, before)), desc(auditEvents.event_id), BATCH, 0);
    if (rows.length === 0) return;
    before = rows.at(-1)?.event_id ?? 0;
    yield rows
      .map(({ happened_at, what, actor, subject, ip, user_agent, details }) =>
        csvLine([
          happened_at,
          what,
          actor?.user_id ?? "",
          actor?.name ?? "",
          actor?.email ?? "",
          subject?.type ?? "",
          subject?.id ?? "",
          ip ?? "",
          user_agent ?? "",
          details ? JSON.stringify(details) : "",
        ]),
      )
      .join("");
  }
}

/**
 * Writes one CSV line. A cell that a spreadsheet would read as a formula gets a leading apostrophe, which makes it text (OWASP, CSV
 * Injection).
 */
export function csvLine(cells: string[]): string {
  const cell = (text: string) => {
    const plain = /^\s*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
    return `"${plain.replaceAll('"', '""')}"`;
  };
  return `${cells.map(cell).join(",")}\r\n`;
}
