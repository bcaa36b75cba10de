// Followers wait too: a game server that is down, and whose return somebody asked to be told of, is asked every few seconds, as
// it is while somebody looks at its page. Fair shares: each kind of target is one who waits.
import { sql } from "drizzle-orm";
import { LOCKS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import { CHANNELS } from "#db/schema/index.ts";
import { waitFor } from "../game-servers/waiting.ts";

/** Longer than the pace of the job that renews it. */
const WAIT_S = 25;
/** What the followers of one kind of target may have of the fifty that are waited for at once. */
const MOST_OF_KIND = 10;

/** Waits for those that went down last: who has been down for a day is not back within seconds. One process at a time does it. */
export async function waitForFollowed({ db }: { db: Db }): Promise<void> {
  await db.transaction(async (tx) => {
    const {
      rows: [lock],
    } = await tx.execute<{ ours: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCKS.followersWait}) as ours`);
    if (!lock?.ours) return;
    for (const kind of CHANNELS) {
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
