/**
 * What a site weighs at 100, 1,000 and 10,000 game servers: bytes of a stream's first word and of one change, ms to read the
 * whole site anew, and bytes that Postgres keeps of each answer. `node bench/instruments/site-size.ts`; about a minute. docs/many-machines.md
 * builds on it.
 */
import { pino } from "pino";
import { keepSamplesInBounds } from "#jobs/measurements/sample-partitions.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { createLiveChannel } from "#web/live/channel.ts";
import { startLiveHub } from "#web/live/hub.ts";

const SIZES = [100, 1_000, 10_000];
const SAMPLES = 500_000;
const log = pino({ level: "silent" });

for (const size of SIZES) {
  const database = await createTestDatabase();
  await database.sql.unsafe(`
    insert into games (game_slug, game_name, game_acronym, tagline, description)
      select 'game-' || n, 'Game ' || n, 'G' || n, '{"en": "A game"}', '{"en": "A game of its kind"}' from generate_series(1, 8) n;
    insert into gameserver (game_id, server_name, visibility, host, game_port, adapter)
      select (select min(game_id) from games) + n % 8, 'Game server number ' || n, 'public', 'play' || n || '.example.org', 27015, 'a2s'
      from generate_series(1, ${size}) n;
    update gameserver_live_metrics set status = 'online', status_since = now(), user_online = server_id % 60, user_max_measured = 64,
      user_peak = 64, user_peak_at = now(), user_peak_24h = 60, user_peak_7d = 62, version_measured = '1.20.4', map = 'Harbour',
      last_asked_at = now(), last_answered_at = now(), latency_ms = 30`);
  const began = performance.now();
  const hub = await startLiveHub(database, {
    pollIntervalS: 30,
    demo: false,
    siteUrl: "https://play.example.org",
    log,
  });
  const readMs = performance.now() - began;
  const channel = createLiveChannel(hub, "public");
  const [row] = hub.read("public").live;
  console.log(
    `${size} game servers: read in ${Math.round(readMs)} ms; a stream begins with ${((channel.missed(null, null)[0]?.length ?? 0) / 1024).toFixed(0)} KB; ` +
      `a change of one is about ${JSON.stringify(row).length + 80} bytes to each stream`,
  );
  await hub.stop();
  if (size === SIZES.at(-1)) {
    await keepSamplesInBounds(database.sql, false);
    await database.sql.unsafe(`
      insert into gameserver_sample (server_id, asked_at, status, user_online, user_max, latency_ms)
      select (select min(server_id) from gameserver) + n % ${size}, now() + n * interval '1 microsecond', 'online', n % 60, 64, 30
      from generate_series(1, ${SAMPLES}) n`);
    const [weight] = await database.sql<{ bytes: number }[]>`
      select sum(pg_total_relation_size(relid))::float8 as bytes from pg_partition_tree('gameserver_sample')`;
    console.log(`each answer that is kept: ${Math.round((weight?.bytes ?? 0) / SAMPLES)} bytes with its indexes`);
  }
  await database.drop();
}
process.exit(0);
