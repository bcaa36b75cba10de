/** What stands in the pictures: a year of history, nothing at all, or more than anybody expects. */
import type { Sql } from "#db/sql.ts";
import type { AccessSite } from "../e2e/access-site.ts";
import { addYearOfHistory } from "../helpers/history-year.ts";

const LONG =
  "The Extraordinarily Long-Winded Gathering of Wandering Craftspeople, Donaudampfschifffahrtsgesellschaft Edition";
const WAIT_MS = 30_000;
/** Game servers of one game. */
const MANY = 250;

/** A year behind every game server, in place of the few minutes that the collector has seen. */
export async function addHistory(sql: Sql): Promise<void> {
  // In one transaction: the collector writes into these tables, too.
  await sql.begin(async (all) => {
    // The site's own limit is for questions, not for a year at once.
    await all`set local statement_timeout = 0`;
    await all`truncate gameserver_rollup_5m, gameserver_rollup_1h, gameserver_rollup_1d`;
    await addYearOfHistory(all);
  });
}

/** Until every game server that has an address was asked once. */
export async function waitUntilAsked(sql: Sql): Promise<void> {
  await waitUntil(async () => {
    const [row] = await sql<{ left: number }[]>`
      select count(*)::int as left from gameserver_live_metrics join gameserver using (server_id)
      where host is not null and lifecycle = 'active' and last_asked_at is null`;
    return row?.left === 0;
  });
}

/** As an operator who has chosen no game yet: nothing to show at all. */
export async function makeBare(sql: Sql): Promise<void> {
  await sql`update games set published = false`;
}

/** As on the first evening: no game server is shown yet, and nobody has written. */
export async function makeEmpty(sql: Sql): Promise<void> {
  await sql`update games set published = true`;
  await sql`delete from contacts`;
  // Everybody may see this one, and nobody has ever asked it.
  await sql`update gameserver set visibility = 'public' where server_name = 'Minecraft Anarchy'`;
}

/** Long names, long words, 0 and 10,000 players, game servers that are full, and lists of thousands. */
export async function makeFull({ sql, values }: AccessSite): Promise<void> {
  await sql`update games set game_name = left(${LONG}, 80) where game_slug = 'minecraft'`;
  await sql`
    update gameserver set visibility = 'public', adapter = 'heartbeat', host = 'a-very-long-name-of-a-machine.of-our-community.example.org',
      poll_interval_s = 3600, server_locations = '{"Frankfurt am Main","São Paulo","Singapore"}', mods = '{"JEI","Create","Distant Horizons","Simple Voice Chat"}',
      server_name = case when server_id = ${Number(values.serverId)} then left(${LONG}, 80) else server_name end`;
  await sql`
    update gameserver_live_metrics set heartbeat_at = now(), next_poll_at = now(), claimed_by = null,
      heartbeat_players = case server_id % 3 when 0 then 0 when 1 then 10000 else 100 end,
      heartbeat_max = case server_id % 3 when 0 then 20 when 1 then 10000 else 100 end`;
  await sql`update gameserver_live_metrics set heartbeat_players = 10000, heartbeat_max = 10000 where server_id = ${Number(values.serverId)}`;
  await sql`
    update gameserver_live_metrics set map = left(replace(${LONG}, ' ', '_'), 40) where server_id = ${Number(values.serverId)}`;
  await sql`
    insert into contacts (name, email, message, locale, created_at)
    select left(${LONG}, 80), 'somebody.with.a.long.address.' || n || '@a-long-name-of-a-domain.example.org', repeat(${LONG} || E'.\n\n', 12), 'en',
      now() - n * interval '7 minutes' from generate_series(1, 12000) n`;
  const [message] = await sql<{ contact_id: number }[]>`select max(contact_id) as contact_id from contacts`;
  values.contactId = String(message?.contact_id);
  await sql`update profiles set user_nick_name = 'Wandering-Craftsperson-of-the-North' where user_id = ${values.userId}`;
  await addHistory(sql);
  // These have no past: a year of each would take longer than all the pictures.
  await sql`
    insert into gameserver (game_id, server_name, visibility, adapter, poll_interval_s, host, game_port, server_locations)
    select game_id, case when n % 7 = 0 then left(n || ' ' || ${LONG}, 60) else 'Lantern Bay ' || n end, 'public', 'heartbeat', 3600,
      'machine-' || n || '.example.org', 25565, array['Region ' || n % 20]
    from games, generate_series(1, ${MANY}) n where game_slug = 'minecraft'`;
  await waitUntilAsked(sql);
}

async function waitUntil(done: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + WAIT_MS;
  while (!(await done())) {
    if (Date.now() > end) throw new Error("the game servers were not asked in time");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
