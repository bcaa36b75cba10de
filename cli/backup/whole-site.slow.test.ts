/** A grown site survives backup and restore: second factors, avatars and a year of history of 100 servers and 10,000 members. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import type { Database } from "#db/client.ts";
import { patience } from "#tests/faults/figure.ts";
import { killGroup, makePlace, startRealSite } from "#tests/faults/real-site.ts";
import { startAccountSite } from "#tests/helpers/account-site.ts";
import { findKeeper, makeKeeper } from "#tests/helpers/keeper.ts";
import { makeBackup } from "./make-backup.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const AVATARS = 300;

/** A year as its roll-ups keep it: days and hours of every server, and the five minutes of a week of one. */
async function grow(sql: Database["sql"]): Promise<void> {
  // A million rows look at the same hundred servers, and on a busy machine longer than a visitor would wait.
  const all = `SET LOCAL statement_timeout = 0;
    INSERT INTO users (email, email_verified) SELECT 'member' || n || '@example.org', true FROM generate_series(1, 10000) n;
    INSERT INTO profiles (user_id, user_nick_name) SELECT user_id, email FROM users ON CONFLICT DO NOTHING;
    INSERT INTO roles (user_id) SELECT user_id FROM users ON CONFLICT DO NOTHING;
    INSERT INTO gameserver (game_id, server_name, adapter, host, query_port, visibility)
      SELECT (SELECT min(game_id) FROM games), 'Server ' || n, 'a2s', 'play.example.org', 27015 + n, 'public' FROM generate_series(1, 100) n;
    SET LOCAL session_replication_role = replica;
    INSERT INTO gameserver_rollup_1h SELECT server_id, at, 1, 9, 500 + server_id, 120, 120, 3600, 0
      FROM gameserver, generate_series(date_bin('1 hour', now(), 'epoch') - interval '1 year', now(), '1 hour') at;
    INSERT INTO gameserver_rollup_1d SELECT server_id, at, 1, 9, 12000 + server_id, 2880, 2880, 86400, 0
      FROM gameserver, generate_series(date_bin('1 day', now(), 'epoch') - interval '1 year', now(), '1 day') at;
    INSERT INTO gameserver_rollup_5m SELECT (SELECT min(server_id) FROM gameserver), at, 1, 9, 45, 10, 10, 300, 0
      FROM generate_series(date_bin('5 minutes', now(), 'epoch') - interval '7 days', now() - interval '1 hour', '5 minutes') at`;
  await sql.begin(async (transaction) => {
    for (const statement of all.split(";")) await transaction.unsafe(statement);
  });
}

/** What must be the same afterwards, of the time before: the site that runs adds the minutes of today. */
async function count(sql: Database["sql"], until: Date): Promise<Record<string, number>> {
  const [row] = await sql<Record<string, number>[]>`
    SELECT (SELECT count(*)::int FROM users) AS members, (SELECT count(*)::int FROM gameserver) AS servers,
      (SELECT count(*)::int FROM two_factors) AS second_factors,
      (SELECT count(*)::int FROM gameserver_rollup_1h WHERE starts_at < ${until}::timestamptz - interval '1 day') AS hours,
      (SELECT sum(user_sum)::float8 FROM gameserver_rollup_1h WHERE starts_at < ${until}::timestamptz - interval '1 day') AS hours_sum,
      (SELECT sum(user_sum)::float8 FROM gameserver_rollup_1d WHERE starts_at < ${until}::timestamptz - interval '2 days') AS days_sum,
      (SELECT sum(user_sum)::float8 FROM gameserver_rollup_5m WHERE starts_at < ${until}::timestamptz - interval '1 day') AS minutes_sum`;
  return row ?? {};
}

test("second factors, avatars and a year of history are there after a restore, which prints the line that starts it", async (t) => {
  const site = await startAccountSite();
  t.after(() => site.stop());
  const keeper = await makeKeeper(site.base, site.database);
  await site.stopWeb();
  await site.sql`INSERT INTO games (game_name, game_acronym, game_slug, tagline, description)
    VALUES ('A game', 'AG', 'a-game', '{"en": "x"}', '{"en": "y"}') ON CONFLICT DO NOTHING`;
  await grow(site.sql);
  const avatars = path.join(site.dataDir, "buckets", "avatars");
  await mkdir(avatars, { recursive: true });
  const members = await site.sql<
    { user_id: string }[]
  >`SELECT user_id FROM users WHERE email LIKE 'member%' LIMIT ${AVATARS}`;
  for (const { user_id } of members) await writeFile(path.join(avatars, `${user_id}.webp`), user_id);
  const until = new Date();
  const then = { rows: await count(site.sql, until), avatars: (await readdir(avatars)).sort() };
  assert.ok((then.rows.hours ?? 0) > 870_000 && (then.rows.members ?? 0) > 10_000 && then.avatars.length >= AVATARS);

  const folder = await mkdtemp(path.join(tmpdir(), "spawnpoint-whole-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, "site.tar.zst");
  const began = performance.now();
  const made = await makeBackup({ dataDir: site.dataDir }, site.database.url, file, { scheduled: false });
  const backupMs = performance.now() - began;

  // A folder that a shell would take apart.
  const dataDir = path.join(folder, "the site's new one");
  const program = `${process.execPath} ${path.join(ROOT, "cli/spawnpoint.ts")}`;
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "", AUTH_SECRET: "", SPAWNPOINT_COMMAND: program };
  const restored = spawnSync("sh", ["-c", `${program} restore ${file}`], { env, encoding: "utf8" });
  assert.equal(restored.status, 0, restored.stderr);
  const restoreMs = performance.now() - began - backupMs;
  const line = /^Start it: (.*)$/m.exec(restored.stdout)?.[1] ?? "";
  assert.match(restored.stdout, /^Not in the file: the settings \(\/etc\/spawnpoint\.env.*DNS.*AUTH_SECRET/m);

  const place = await makePlace();
  const started = startRealSite(
    { ...place, dataDir },
    { command: ["sh", "-c", line], env: { DATA_DIR: "", POLL_INTERVAL_S: "3600" } },
  );
  t.after(async () => {
    killGroup(started.process.pid ?? 0, "SIGTERM");
    await started.ended;
    await place.remove();
  });
  await started.untilReady(patience(60_000));
  await findKeeper(started.url, keeper);
  const database = started.openDatabase();
  try {
    assert.deepEqual(await count(database.sql, until), then.rows);
  } finally {
    await database.close();
  }
  assert.deepEqual((await readdir(path.join(dataDir, "buckets", "avatars"))).sort(), then.avatars);
  t.diagnostic(
    `${made.rows} rows, ${made.bytes} bytes: backup ${Math.round(backupMs)} ms, restore ${Math.round(restoreMs)} ms`,
  );
});
