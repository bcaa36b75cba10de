/**
 * How long the lists of people, messages and audit rows take with 100,000 members, 20,000 messages and 200,000 audit rows:
 * median and p95 of each, on a Postgres of its own, beside a question that costs nothing, which tells
 * how busy the machine is. `node bench/people-list.ts`; about a minute.
 */

import { CONTACT_SORTS, listContacts } from "#domain/inbox/inbox.ts";
import { listUsers, USER_SORTS, type UserFilter } from "#domain/members/user-list.ts";
import { readListQuery } from "#domain/paging.ts";
import { listAuditEvents, readAuditFilter } from "#domain/site/audit-log.ts";
import { countUsers, countWaitingMessages } from "#domain/site/health.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";

const ROUNDS = 40;
const { db, sql, drop } = await createTestDatabase();
await sql.unsafe(`
  set statement_timeout = 0;
  insert into users (email, email_verified, created_at)
    select 'member' || n || '@example.org', true, now() - make_interval(mins => n) from generate_series(1, 100000) n;
  insert into profiles (user_id, user_nick_name) select user_id, 'Player-' || substr(md5(email), 1, 12) from users;
  insert into roles (user_id, role)
    select user_id, case when email like 'member1____@%' then 'moderator' else 'user' end from users;
  insert into contacts (name, email, message, locale, created_at, archived_at)
    select 'Person ' || n, 'person' || n || '@example.org', repeat('Some words of a message. ', 20), 'en',
      now() - make_interval(mins => n), case when n % 2 = 0 then now() end
    from generate_series(1, 20000) n;
  insert into audit_events (actor_id, what, subject_type, subject_id, ip, details)
    select user_id, 'sign-in', 'user', user_id::text, '203.0.113.7', '{"by": "password"}'
    from users, generate_series(1, 2);
`);
await sql`vacuum analyze`;

const [someone] = await sql<{ user_id: string }[]>`select user_id from users where email = 'member777@example.org'`;
const people = (address: string, filter: UserFilter | null = null) => {
  const query = readListQuery(new URL(address, "http://site"), USER_SORTS, "-created_at");
  return () => listUsers(db, query, filter);
};
const contacts = (address: string) => {
  const query = readListQuery(new URL(address, "http://site"), CONTACT_SORTS, "-created_at");
  return () => listContacts(db, query, "open");
};
const audit = (address: string) => {
  const url = new URL(address, "http://site");
  return () => listAuditEvents(db, readListQuery(url, ["happened_at"], "-happened_at"), readAuditFilter(url));
};

const lists: Record<string, () => Promise<unknown>> = {
  "nothing (select 1)": () => sql`select 1`,
  "people, newest": people("/"),
  "people, by name": people("/?sort=user_nick_name"),
  "people, page 1000": people("/?page=1000"),
  "people, search": people("/?q=member777"),
  "people, search for nobody": people("/?q=nobodyatall"),
  "people, moderators": people("/", "moderator"),
  "people, users": people("/", "user"),
  "people, banned": people("/", "banned"),
  "messages, open": contacts("/"),
  "messages, by name": contacts("/?sort=name"),
  "messages, search": contacts("/?q=person77"),
  "messages, search for all": contacts("/?q=words of"),
  "audit, newest": audit("/"),
  "audit, a kind": audit("/?what=sign-in"),
  "audit, a person": audit("/?who=member777@"),
  "audit, everybody": audit("/?who=member"),
  "audit, page 1000": audit("/?page=1000"),
  "audit, search for all": audit("/?q=203.0.113"),
  "audit, search for one": audit(`/?q=${someone?.user_id}`),
  "audit, search for nothing": audit("/?q=nothingofthat"),
  "dashboard, waiting messages": () => countWaitingMessages(db),
  "dashboard, members": () => countUsers(db),
};
for (const [name, read] of Object.entries(lists)) {
  await read();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await read();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.ceil(times.length * share) - 1] ?? 0).toFixed(1).padStart(7);
  console.log(`${name.padEnd(30)} median ${at(0.5)} ms   p95 ${at(0.95)} ms`);
}
await drop();
process.exit(0);
