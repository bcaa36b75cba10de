// The contact form's inbox: lets moderators read, answer, archive and remove messages; tracks privacy deadlines. Each change and
// its audit row are one transaction.
import { and, asc, desc, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "#db/client.ts";
import { contacts } from "#db/schema/index.ts";
import { filledLine, filledLines } from "../form-text.ts";
import { queueMail } from "../mails.ts";
import { contains, countUpTo, type ListPage, type ListQuery, ordered, readPage } from "../paging.ts";
import { type Actor, type AuditWhat, recordAudit } from "../site/audit.ts";
import {
  daysLeft,
  type PrivacyDeadline,
  privacyDeadline,
  type RequestKind,
  type RequestRegion,
} from "./privacy-deadlines.ts";

/** `open`: neither answered nor archived. `privacy`: unanswered privacy requests. */
export const INBOX_STATES = ["open", "unread", "privacy", "answered", "archived"] as const;
export type InboxState = (typeof INBOX_STATES)[number];

export const CONTACT_SORTS = ["created_at", "name"] as const;
type ContactSort = (typeof CONTACT_SORTS)[number];

/** Characters of a message shown in the list. */
const EXCERPT = 140;

export const ANSWER_MAX = 5000;
/** An answer, and the reason for an extension, as forms send them. */
export const answerShape = z.object({ text: filledLines(ANSWER_MAX) });
export const extensionShape = z.object({ text: filledLine(300) });

/** Days of a privacy request; `left` is 0 or less when overdue, null once answered. */
export type RequestClock = {
  kind: RequestKind;
  region: RequestRegion;
  law: PrivacyDeadline["law"];
  days: number;
  due_at: string;
  left: number | null;
  extendable: boolean;
};

export type ContactRow = {
  contact_id: number;
  name: string;
  email: string;
  /** The beginning of the message. */
  message: string;
  created_at: string;
  read: boolean;
  answered_at: string | null;
  archived: boolean;
  request: RequestClock | null;
};

const STATES: Record<InboxState, SQL> = {
  open: sql`${contacts.answered_at} is null and ${contacts.archived_at} is null`,
  unread: sql`${contacts.read_at} is null and ${contacts.archived_at} is null`,
  privacy: sql`${contacts.request_kind} is not null and ${contacts.answered_at} is null and ${contacts.archived_at} is null`,
  answered: sql`${contacts.answered_at} is not null and ${contacts.archived_at} is null`,
  archived: sql`${contacts.archived_at} is not null`,
};

type Contact = typeof contacts.$inferSelect;

/** The database's time in ms: deadlines use the clock that recorded the request. */
const nowMs = sql<number>`(extract(epoch from now()) * 1000)::float8`;

function clockOf(contact: Contact, now: number): RequestClock | null {
  const { request_kind: kind, request_region: region, created_at, extended_at, answered_at } = contact;
  if (!kind || !region) return null;
  const { law, days, due_at, extendable } = privacyDeadline({
    kind,
    region,
    created_at,
    extended: extended_at !== null,
  });
  const left = answered_at ? null : daysLeft(due_at, now);
  return {
    kind,
    region,
    law,
    days,
    due_at: due_at.toISOString(),
    left,
    extendable: extendable && answered_at === null,
  };
}

/** As in the index contacts_parts (migration 0014). */
const searched = sql`(${contacts.name} || E'\\n' || ${contacts.email} || E'\\n' || ${contacts.message})`;

/** Lists one page of the inbox, searched by name, address and text. */
export function listContacts(
  db: Db,
  query: ListQuery<ContactSort>,
  state: InboxState,
): Promise<ListPage<ContactRow, ContactSort>> {
  const found = and(STATES[state], query.q ? contains(searched, query.q) : undefined);
  const columns: Record<ContactSort, SQL> = {
    // Never null, so that an index gives the order.
    created_at: query.descending ? sql`${contacts.created_at} desc` : sql`${contacts.created_at} asc`,
    name: ordered(sql`lower(${contacts.name})`, query.descending),
  };
  const order = [columns[query.sort], query.descending ? desc(contacts.contact_id) : asc(contacts.contact_id)];
  return readPage(
    query,
    (most) => countUpTo(db, contacts, found, most),
    async (limit, offset) => {
      // Read only the page's messages in full.
      const ids = db
        .select({ contact_id: contacts.contact_id })
        .from(contacts)
        .where(found)
        .orderBy(...order)
        .limit(limit)
        .offset(offset);
      const rows = await db
        .select({ contact: contacts, now: nowMs })
        .from(contacts)
        .where(inArray(contacts.contact_id, ids))
        .orderBy(...order);
      return rows.map(({ contact, now }) => ({
        contact_id: contact.contact_id,
        name: contact.name,
        email: contact.email,
        message: excerptOf(contact.message),
        created_at: contact.created_at.toISOString(),
        read: contact.read_at !== null,
        answered_at: contact.answered_at?.toISOString() ?? null,
        archived: contact.archived_at !== null,
        request: clockOf(contact, now),
      }));
    },
  );
}

/** Shortens a message to one line, with an ellipsis if it is cut. */
function excerptOf(message: string): string {
  const line = message.replace(/\s+/g, " ").trim();
  return line.length <= EXCERPT ? line : `${line.slice(0, EXCERPT - 1).trimEnd()}…`;
}

/** Counts unread messages, up to `most`. */
export const countUnread = (db: Db, most: number): Promise<number> => countUpTo(db, contacts, STATES.unread, most);

/** Finds a message with its answers; null when there is none. */
export async function findContact(db: Db, contactId: number) {
  const [found] = await db
    .select({ contact: contacts, now: nowMs })
    .from(contacts)
    .where(eq(contacts.contact_id, contactId));
  if (!found) return null;
  const { contact, now } = found;
  return {
    contact_id: contact.contact_id,
    name: contact.name,
    email: contact.email,
    message: contact.message,
    locale: contact.locale,
    created_at: contact.created_at.toISOString(),
    read: contact.read_at !== null,
    archived: contact.archived_at !== null,
    answers: contact.answers,
    extended_at: contact.extended_at?.toISOString() ?? null,
    extension_reason: contact.extension_reason,
    request: clockOf(contact, now),
  };
}

export type InboxOutcome = { ok: true } | { ok: false; reason: "gone" | "changed" | "not_extendable" };

/**
 * Locks a message, changes it, and writes its audit row. `work` gets the message and the database's time; it returns the values to
 * set, or why there are none.
 */
async function change(
  db: Db,
  actor: Actor,
  contactId: number,
  what: AuditWhat,
  work: (
    contact: Contact,
    now: Date,
    tx: Db,
  ) => Promise<
    | { set: Partial<Contact>; details?: Parameters<typeof recordAudit>[1]["details"] }
    | Exclude<InboxOutcome, { ok: true }>
    | null
  >,
): Promise<InboxOutcome> {
  return db.transaction(async (tx) => {
    const [found] = await tx
      .select({ contact: contacts, now: nowMs })
      .from(contacts)
      .where(eq(contacts.contact_id, contactId))
      .for("update");
    if (!found) return { ok: false, reason: "gone" };
    const done = await work(found.contact, new Date(found.now), tx);
    if (done === null) return { ok: true };
    if ("ok" in done) return done;
    await tx.update(contacts).set(done.set).where(eq(contacts.contact_id, contactId));
    await recordAudit(tx, {
      what,
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "contact", id: String(contactId) },
      ...(done.details ? { details: done.details } : {}),
    });
    return { ok: true };
  });
}

/** Marks a message as read. Repeating it changes nothing. */
export const markRead = (db: Db, actor: Actor, contactId: number): Promise<InboxOutcome> =>
  change(db, actor, contactId, "contact-read", async ({ read_at }, now) =>
    read_at ? null : { set: { read_at: now } },
  );

/**
 * Answers by mail, in the language of the message. `seen`: the number of answers on the page; if another one was sent since,
 * nothing is sent.
 */
export const answerContact = (
  db: Db,
  actor: Actor,
  contactId: number,
  given: { answer: string; seen: number; replyTo: string },
): Promise<InboxOutcome> =>
  change(db, actor, contactId, "contact-answered", async (contact, now, tx) => {
    if (contact.answers.length !== given.seen) return { ok: false, reason: "changed" };
    await queueMail(tx, {
      to: contact.email,
      reply_to: given.replyTo || null,
      locale: contact.locale,
      template: "contact-answer",
      data: { answer: given.answer, written_at: contact.created_at.toISOString() },
    });
    return {
      set: {
        answers: [...contact.answers, { text: given.answer, at: now.toISOString() }],
        answered_at: contact.answered_at ?? now,
        read_at: contact.read_at ?? now,
      },
      details: { answer_number: given.seen + 1 },
    };
  });

/** Archives a message, or restores it. */
export const archiveContact = (db: Db, actor: Actor, contactId: number, archived: boolean): Promise<InboxOutcome> =>
  change(
    db,
    actor,
    contactId,
    archived ? "contact-archived" : "contact-restored",
    async ({ archived_at, read_at }, now) =>
      (archived_at !== null) === archived
        ? null
        : { set: archived ? { archived_at: now, read_at: read_at ?? now } : { archived_at: null } },
  );

/** Takes the single extension that Virginia's law allows, within the first deadline. */
export const extendRequest = (db: Db, actor: Actor, contactId: number, reason: string): Promise<InboxOutcome> =>
  change(db, actor, contactId, "contact-extended", async (contact, now) => {
    const clock = clockOf(contact, now.getTime());
    if (!clock?.extendable || clock.left === null || clock.left <= 0) return { ok: false, reason: "not_extendable" };
    return { set: { extended_at: now, extension_reason: reason }, details: { reason } };
  });

/**
 * Removes a message and its answers for good, after the sender's exact name was typed. The audit row contains no personal data; for
 * an unanswered privacy request it says what was requested.
 */
export function removeContact(
  db: Db,
  actor: Actor,
  contactId: number,
  typedName: string,
): Promise<{ ok: true } | { ok: false; reason: "gone" | "not_confirmed" }> {
  return db.transaction(async (tx) => {
    const [contact] = await tx.select().from(contacts).where(eq(contacts.contact_id, contactId)).for("update");
    if (!contact) return { ok: false, reason: "gone" };
    if (typedName.trim() !== contact.name) return { ok: false, reason: "not_confirmed" };
    await tx.delete(contacts).where(eq(contacts.contact_id, contactId));
    const unanswered = contact.answered_at === null ? contact.request_kind : null;
    await recordAudit(tx, {
      what: "contact-removed",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "contact", id: String(contactId) },
      ...(unanswered ? { details: { unanswered_request: unanswered } } : {}),
    });
    return { ok: true };
  });
}

/** How long an archived message is stored; the privacy policy says so. */
const KEPT_ARCHIVED_MONTHS = 12;

/** Removes messages archived longer ago than that. */
export async function sweepContacts(db: Db): Promise<void> {
  await db
    .delete(contacts)
    .where(lt(contacts.archived_at, sql`now() - make_interval(months => ${KEPT_ARCHIVED_MONTHS})`));
}
