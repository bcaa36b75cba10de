/** A site as large communities have them: thousands of public game servers that answered just now, of some forty games. */
import { SHIPPED_PICTURES } from "#content/pictures/shipped.ts";
import { seedDemoContent } from "#demo/demo-content.ts";
import type { TestDatabase } from "./database.ts";

/** The game with the most of them. */
export const LARGEST_GAME = "valheim";

const PLACES = ["Germany", "Finland", "France", "Falkenstein", "Oregon", "Singapore", "São Paulo", "Sydney"];

/**
 * Fills an empty database: the demo's games and `games - 8` others, `servers` game servers over all of them, `ofLargest` of them
 * of one game. Names are those of one game's list ("Valheim 0042 Harbour"); players, peaks and places differ. Each game has one of the
 * paintings, whose files are there already.
 */
export async function addManyGameServers(
  { db, sql }: TestDatabase,
  { servers = 5_000, games = 40, ofLargest = 250 }: { servers?: number; games?: number; ofLargest?: number } = {},
): Promise<void> {
  await seedDemoContent(db);
  await sql`delete from gameserver`;
  await sql`insert into games (game_name, game_acronym, game_slug, tagline, description, sort_order, published, picture)
    select 'Pretend Game ' || n, 'PG' || n, 'pretend-' || n, jsonb_build_object('en', 'A land of its own, number ' || n),
      jsonb_build_object('en', 'Nobody plays it but pretend players.'), 100 + n, true, (${[...SHIPPED_PICTURES]}::text[])[1 + n % ${SHIPPED_PICTURES.length}::int]
    from generate_series(1, ${Math.max(0, games - 8)}::int) n`;
  await sql`
    with others as (
      select game_id, game_name, row_number() over (order by sort_order, game_id) - 1 as place, count(*) over () as many
      from games where game_slug <> ${LARGEST_GAME}
    ), made as (
      select n, case when n <= ${ofLargest}::int then (select game_id from games where game_slug = ${LARGEST_GAME}) end as largest
      from generate_series(1, ${servers}::int) n
    )
    insert into gameserver (game_id, server_name, user_max, visibility, server_locations, adapter, host, game_port, flavour, sort_order)
    select coalesce(made.largest, others.game_id),
      coalesce(case when made.largest is not null then 'Valheim' end, others.game_name) || ' ' || lpad(n::text, 4, '0') || ' '
        || (array['Harbour', 'Hearth', 'Lighthouse', 'Mistral', 'Foxglove', 'Zürich'])[1 + n % 6],
      20 + n % 80, 'public', array[(${PLACES}::text[])[1 + n % ${PLACES.length}::int]], 'a2s',
      '192.0.2.' || (1 + n % 250), 20000 + n, case n % 3 when 0 then 'Vanilla' when 1 then 'Modded' end, n
    from made left join others on made.largest is null and others.place = n % others.many`;
  await sql`
    insert into gameserver_live_metrics (server_id, status, status_since, user_online, user_max_measured, user_peak, first_asked_at,
      last_asked_at, last_answered_at)
    select server_id, case when sort_order % 10 = 0 then 'offline' else 'online' end, now() - interval '3 hours',
      case when sort_order % 10 <> 0 then (sort_order * 7919) % 61 end, user_max, 60, now() - interval '30 days',
      now() + interval '1 hour', now()
    from gameserver
    on conflict (server_id) do update set status = excluded.status, status_since = excluded.status_since,
      user_online = excluded.user_online, user_max_measured = excluded.user_max_measured, user_peak = excluded.user_peak,
      first_asked_at = excluded.first_asked_at, last_asked_at = excluded.last_asked_at, last_answered_at = excluded.last_answered_at`;
  await sql`analyze`;
}
