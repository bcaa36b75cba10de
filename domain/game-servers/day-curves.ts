// Player counts of the last 24 hours per game server in 48 half hours, as drawn in lists and cards.
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { gameserver, gameserverRollup5m } from "#db/schema/index.ts";

const SLOTS = 48;
const SLOT_S = 1_800;

/**
 * One half hour: the average of counted players, "down" if none could be counted because the server was known to be down, null if
 * unknown.
 */
export type DayPoint = number | "down" | null;

/** The last 24 hours, oldest half hour first: 48 points. */
export type DayCurve = DayPoint[];

/**
 * Lists the curves of all game servers that aren't hidden, by server_id; omits those without data. Looks up the rows of each
 * server: a filter by time alone would read three months of roll-ups.
 */
export async function listDayCurves(db: Db): Promise<Map<number, DayCurve>> {
  const within = sql`starts_at >= day.until - interval '24 hours' and starts_at < day.until`;
  const slot: SQL = sql`(${SLOTS - 1} - floor(extract(epoch from day.until - starts_at - interval '5 minutes') / ${SLOT_S}))::int`;
  // One row per game server, not per point: a thousand are read without delaying other work.
  const { rows } = await db.execute<{ server_id: number; points: string }>(sql`
    select server.server_id, half_hours.points
    from (select date_bin('5 minutes', now(), 'epoch') as until) day, ${gameserver} server, lateral (
      select string_agg(slot || ' ' || coalesce(average::text, 'down'), ',') as points from (
        select ${slot} as slot, round(sum(user_sum)::numeric / nullif(sum(user_count), 0), 1) as average
        from ${gameserverRollup5m} where server_id = server.server_id and ${within}
        group by 1 having sum(user_count) > 0 or sum(down_s) > 0
      ) known
    ) half_hours where server.visibility <> 'hidden' and half_hours.points is not null`);
  return new Map(rows.map(({ server_id, points }) => [server_id, readPoints(points)]));
}

function readPoints(text: string): DayCurve {
  const curve = Array<DayPoint>(SLOTS).fill(null);
  for (const point of text.split(",")) {
    const [slot, average] = point.split(" ");
    curve[Number(slot)] = average === "down" ? "down" : Number(average);
  }
  return curve;
}

/**
 * Adds up several curves, such as those of a game. A half hour is unknown if a server counted before is unknown: the rest alone
 * would look like players leaving. A server that is down adds none; one without any count is ignored.
 */
export function addCurves(curves: DayCurve[]): DayCurve {
  const counted = curves
    .filter((curve) => curve.some((point) => typeof point === "number"))
    .map((curve) => ({ curve, from: curve.findIndex((point) => point !== null) }));
  return Array.from({ length: SLOTS }, (_, slot) => {
    const begun = counted.filter(({ from }) => from <= slot).map(({ curve }) => curve);
    if (begun.length === 0 || begun.some((curve) => curve[slot] === null)) return null;
    const points = begun.map((curve) => curve[slot]).filter((point) => typeof point === "number");
    return points.length === 0 ? "down" : points.reduce((sum, point) => sum + point, 0);
  });
}
