/** Computes how many connections the processes of one machine open, and how many its Postgres must allow. */

/** Per pool of a web process: the connection that listens, and the one that checks for a sign of life. */
const LISTENING = 2;
/** The live figures' own pool, so that reading them never waits behind pages. */
export const LIVE_POOL = 2;
/** The collector's pool, and one connection that listens. */
const COLLECTOR = 5;
/** For operators' commands, backups, the start itself, and sessions that linger after a process was killed. */
const SPARE = 25;
/** Shared among the web processes. */
const SHARED_OUT = 40;
const MOST_EACH = 10;
const FEWEST_EACH = 4;
const FEWEST_IN_ALL = 50;

/** Pool size per web process: ten, or fewer with many processes. */
export function webPoolSize(webWorkers: number): number {
  return Math.max(FEWEST_EACH, Math.min(MOST_EACH, Math.floor(SHARED_OUT / webWorkers)));
}

/** `max_connections` for a Postgres that serves one machine with this many web processes. */
export function connectionsNeeded(webWorkers: number): number {
  // During a restart every web process runs beside the one that it replaces.
  return Math.max(
    FEWEST_IN_ALL,
    2 * webWorkers * (webPoolSize(webWorkers) + LISTENING + LIVE_POOL + LISTENING) + COLLECTOR + SPARE,
  );
}
