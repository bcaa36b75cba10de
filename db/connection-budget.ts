/** How many connections the processes of one machine open, and how many its Postgres must have for them. */

/** What comes with each pool of a web process: the one that listens, and the one that asks for a sign of life. */
const LISTENING = 2;
/** The live figures' own pool: their reading never waits behind what pages ask. */
export const LIVE_POOL = 2;
/** The collector's pool, and one that listens. */
const COLLECTOR = 5;
/** For commands of an operator, backups, the start itself, and sessions that linger after a process was killed. */
const SPARE = 25;
/** What web processes share out among themselves. */
const SHARED_OUT = 40;
const MOST_EACH = 10;
const FEWEST_EACH = 4;
const FEWEST_IN_ALL = 50;

/** Connections in the pool of each of so many web processes: ten, and fewer where there are many of them. */
export function webPoolSize(webWorkers: number): number {
  return Math.max(FEWEST_EACH, Math.min(MOST_EACH, Math.floor(SHARED_OUT / webWorkers)));
}

/** `max_connections` for a Postgres that serves one machine with so many web processes. */
export function connectionsNeeded(webWorkers: number): number {
  // At a restart every web process runs beside the one whose place it takes.
  return Math.max(
    FEWEST_IN_ALL,
    2 * webWorkers * (webPoolSize(webWorkers) + LISTENING + LIVE_POOL + LISTENING) + COLLECTOR + SPARE,
  );
}
