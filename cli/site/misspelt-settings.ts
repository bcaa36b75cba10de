/** Settings that look like a slip of the pen: a name in the environment that is nearly one of ours, and would do nothing. */
import { ALL_SETTINGS, OPERATOR_SETTINGS } from "#config";

/** What Kubernetes tells of its services in every container, and Docker of linked ones: SMTP_PORT=tcp://…, S3_PORT_443_TCP_ADDR. */
const OF_SERVICES = /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP)(?:_(?:PROTO|PORT|ADDR))?$/;
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;
/**
 * Below this length names lie too close to each other: HOST and HOME, PORT and SORT. Of them only a slip of the fingers counts
 * (PRT, PROT, PORRT), never another letter, and only with a value that would do for the setting.
 */
const SHORTEST = 7;
const SHORT_VALUES: Record<string, RegExp> = {
  PORT: /^\d{1,5}$/,
  HOST: /^(?:localhost|[\d.]{7,15}|[\da-f:]*:[\da-f:]*)$/i,
};
/** From this length on two slips are forgiven. */
const LONG = 11;

/** For each name in the environment that is none of our settings but nearly one: a line that names the right one. */
export function listMisspeltSettings(env: NodeJS.ProcessEnv): string[] {
  const known = new Set(ALL_SETTINGS.map(({ name }) => name));
  const ours = OPERATOR_SETTINGS.map(({ name }) => name);
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || known.has(name) || OF_SERVICES.test(name) || SERVICE_ADDRESS.test(value)) return [];
    const meant = findMeant(name, ours) ?? findShort(name, value);
    // Where the right one is set, too, the other is somebody else's.
    if (meant === null || env[meant]?.trim()) return [];
    return [`${name} is no setting of Spawnpoint and does nothing: is ${meant} meant?`];
  });
}

function findMeant(name: string, settings: string[]): string | null {
  const bare = name.toUpperCase().replace(/^SPAWNPOINT_/, "");
  if (bare !== name.toUpperCase()) return settings.find((setting) => isNear(bare, setting)) ?? null;
  return settings.find((setting) => setting.length >= SHORTEST && isNear(bare, setting)) ?? null;
}

/** The short setting that this is a slip of the fingers of: a letter left out or pressed twice, or two that changed places. */
function findShort(name: string, value: string): string | null {
  const typed = name.toUpperCase();
  const isMeant = ([right, values]: [string, RegExp]) =>
    values.test(value.trim()) &&
    [...right].some((letter, at) => {
      const [before, after] = [right.slice(0, at), right.slice(at + 1)];
      return [
        before + after,
        before + letter + letter + after,
        before + after.charAt(0) + letter + after.slice(1),
      ].includes(typed);
    });
  return Object.entries(SHORT_VALUES).find(isMeant)?.[0] ?? null;
}

function isNear(name: string, setting: string): boolean {
  const [words, right] = [name.split("_"), setting.split("_")];
  // DATABASE_PORT is another word in the place of DATABASE_POOL's, no slip.
  const otherWord = words.some((word, at) => countSlips(word, right[at] ?? "") > 1);
  if (words.length === right.length && otherWord) return false;
  const slips = countSlips(name.replaceAll("_", ""), setting.replaceAll("_", ""));
  return slips === 0 || (setting.length >= SHORTEST && slips <= (setting.length >= LONG ? 2 : 1));
}

/** Letters that are missing, too many, others, or two that changed places (optimal string alignment distance). */
export function countSlips(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const above = rows[i - 1] ?? [];
      const differs = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + differs);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) least = Math.min(least, (rows[i - 2]?.[j - 2] ?? 0) + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? Number.POSITIVE_INFINITY;
}
