// Polls a server that is down every few seconds while its return is followed, as if its page were open. Shares the limit fairly:
// each kind of target counts as one watcher.
import { sql } from "drizzle-orm";
import { LOCKS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import { waitFor } from "../game-servers/waiting.ts";
import type { ChannelKind } from "./targets.ts";

/** Longer than the interval of the job that renews it. */
const WAIT_S = 25;
/** The kinds of targets that people follow servers with. */
const FOLLOWERS = ["push", "mail"] as const satisfies ChannelKind[];
/** Limit per kind of target, of the fifty servers polled this way at once. */
const MOST_OF_KIND = 10;

/**
 * Prefers servers that went down last: one that has been down for a day won't be back within seconds. One process at a time does
 * it.
 */
export async function waitForFollowed({ db }: { db: Db }): Promise<void> {
  await db.transaction(async (tx) => {
    const {
      rows: [lock],
    } = await tx.execute<{ ours: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCKS.followersWait}) as ours`);
    if (!lock?.ours) return;
    for (const kind of FOLLOWERS) {
      const { rows } = await tx.execute<{ server_id: number }>(sql`
        select m.server_id from gameserver_live_metrics m join gameserver s using (server_id)
        where m.status = 'offline' and s.lifecycle = 'active' and s.visibility <> 'hidden'
          and m.status_since > now() - interval '1 day'
          and exists (
            select from follows f join notification_targets t using (target_id)
            where f.kind = 'server_up' and (f.server_id = m.server_id or f.game_id = s.game_id)
              and t.kind = ${kind} and t.dead_at is null)
        order by m.status_since desc limit ${MOST_OF_KIND}`);
      const ids = rows.map(({ server_id }) => server_id);
      if (ids.length > 0) await waitFor(tx, ids, WAIT_S, { name: `followers:${kind}`, most: MOST_OF_KIND });
    }
  });
}
