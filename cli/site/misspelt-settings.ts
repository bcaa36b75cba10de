/** Finds misspelt settings: environment variables that are nearly one of ours, and would do nothing. */
import { ALL_SETTINGS, OPERATOR_SETTINGS } from "#config";

/** Variables of Kubernetes services in every container, and of Docker links: SMTP_PORT=tcp://…, S3_PORT_443_TCP_ADDR. */
const OF_SERVICES = /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP)(?:_(?:PROTO|PORT|ADDR))?$/;
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;
/**
 * Shorter names are too similar: HOST and HOME, PORT and SORT. Of them only typing slips count (PRT, PROT, PORRT), never another
 * letter, and only with a valid value for the setting.
 */
const SHORTEST = 7;
const SHORT_VALUES: Record<string, RegExp> = {
  PORT: /^\d{1,5}$/,
  HOST: /^(?:localhost|[\d.]{7,15}|[\da-f:]*:[\da-f:]*)$/i,
};
/** Length from which two slips are allowed. */
const LONG = 11;

/** Returns a line for each unknown variable that is nearly a setting, naming the right one. */
export function listMisspeltSettings(env: NodeJS.ProcessEnv): string[] {
  const known = new Set(ALL_SETTINGS.map(({ name }) => name));
  const ours = OPERATOR_SETTINGS.map(({ name }) => name);
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || known.has(name) || OF_SERVICES.test(name) || SERVICE_ADDRESS.test(value)) return [];
    const meant = findMeant(name, ours) ?? findShort(name, value);
    // If the right one is set too, the other belongs to something else.
    if (meant === null || env[meant]?.trim()) return [];
    return [`${name} is no setting of Spawnpoint and does nothing: is ${meant} meant?`];
  });
}

function findMeant(name: string, settings: string[]): string | null {
  const bare = name.toUpperCase().replace(/^SPAWNPOINT_/, "");
  if (bare !== name.toUpperCase()) return settings.find((setting) => isNear(bare, setting)) ?? null;
  return settings.find((setting) => setting.length >= SHORTEST && isNear(bare, setting)) ?? null;
}

/** Finds the short setting with a typing slip: a letter left out or doubled, or two swapped. */
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
  // DATABASE_PORT differs from DATABASE_POOL by a word, not a slip.
  const otherWord = words.some((word, at) => countSlips(word, right[at] ?? "") > 1);
  if (words.length === right.length && otherWord) return false;
  const slips = countSlips(name.replaceAll("_", ""), setting.replaceAll("_", ""));
  return slips === 0 || (setting.length >= SHORTEST && slips <= (setting.length >= LONG ? 2 : 1));
}

/** Counts missing, extra, different or swapped letters (optimal string alignment distance). */
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
