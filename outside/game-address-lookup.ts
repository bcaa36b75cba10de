/** Looks up game servers' addresses and services in the DNS: within 2 s, cached for a while, with stale answers during failures. */
import { promises as dns } from "node:dns";

const deadlineMs = 2000;
const shortestTtlS = 30;
const longestTtlS = 300;
/** Node does not report the TTL of service records. */
const serviceTtlS = 60;
/** How long a stale answer is used before the failing DNS is queried again. */
const retryAfterFailureMs = 30_000;
const staleForMs = 3_600_000;
const mostNames = 5000;

/** An answer of the DNS; an empty list counts too: the name has no records. */
type Answer<T> = { records: T[]; ttlS: number };
type Remembered = { records: unknown[]; askedAt: number; freshUntil: number };
type ServiceRecord = { host: string; port: number };

export type NameLookup = {
  /** IPv4 first; waits for IPv6 only if `isEnough` accepts none of those. Empty if the DNS has none; null if it fails. */
  listAddresses(name: string, isEnough: (address: string) => boolean): Promise<string[] | null>;
  /** Best first; empty if the name has no such record; null if the DNS fails. */
  listServices(name: string): Promise<ServiceRecord[] | null>;
};

/** `servers` as "address:port", the system's if absent; `now` in milliseconds. */
export function createNameLookup(options: { servers?: readonly string[] | undefined; now: () => number }): NameLookup {
  const memory = new Map<string, Remembered>();
  const underWay = new Map<string, Promise<unknown[] | null>>();

  const makeResolver = (): dns.Resolver => {
    const resolver = new dns.Resolver({ timeout: 600, tries: 2 });
    if (options.servers) resolver.setServers([...options.servers]);
    return resolver;
  };

  const remember = (key: string, entry: Remembered): void => {
    memory.delete(key);
    memory.set(key, entry);
    if (memory.size <= mostNames) return;
    const oldest = memory.keys().next();
    if (!oldest.done) memory.delete(oldest.value);
  };

  const ask = async <T>(key: string, question: (resolver: dns.Resolver) => Promise<Answer<T>>): Promise<T[] | null> => {
    const resolver = makeResolver();
    const answer = await withinDeadline(question(resolver), () => resolver.cancel());
    const now = options.now();
    if (answer && answer.records.length > 0) {
      const ttlS = Math.min(Math.max(answer.ttlS, shortestTtlS), longestTtlS);
      remember(key, { records: answer.records, askedAt: now, freshUntil: now + ttlS * 1000 });
      return answer.records;
    }
    if (answer) {
      // The DNS works and has no record: the cached answer is no longer true.
      memory.delete(key);
      return [];
    }
    const old = memory.get(key);
    if (!old || now - old.askedAt > staleForMs) return null;
    remember(key, { ...old, freshUntil: now + retryAfterFailureMs });
    return old.records as T[];
  };

  const askOnce = <T>(key: string, question: (resolver: dns.Resolver) => Promise<Answer<T>>): Promise<T[] | null> => {
    const known = memory.get(key);
    if (known && options.now() < known.freshUntil && options.now() >= known.askedAt)
      return Promise.resolve(known.records as T[]);
    const pending = underWay.get(key) as Promise<T[] | null> | undefined;
    if (pending) return pending;
    const asked = ask(key, question).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  };

  return {
    listAddresses: (name, isEnough) => askOnce(name, (resolver) => resolveAddresses(resolver, name, isEnough)),
    listServices: (name) => askOnce(name, (resolver) => resolveServices(resolver, name)),
  };
}

async function resolveAddresses(
  resolver: dns.Resolver,
  name: string,
  isEnough: (address: string) => boolean,
): Promise<Answer<string>> {
  const asked6 = orFailed(orNone(resolver.resolve6(name, { ttl: true })));
  const found4 = await orFailed(orNone(resolver.resolve4(name, { ttl: true })));
  if (!("failed" in found4) && found4.some((record) => isEnough(record.address))) return answerOf(found4);
  const found6 = await asked6;
  const found = [...("failed" in found4 ? [] : found4), ...("failed" in found6 ? [] : found6)];
  // Half an answer suffices if it holds an address; otherwise it must not look like "this name has none".
  if (found.length === 0 && "failed" in found4) throw found4.failed;
  if (found.length === 0 && "failed" in found6) throw found6.failed;
  return answerOf(found);
}

function orFailed<T>(asked: Promise<T[]>): Promise<T[] | { failed: unknown }> {
  return asked.catch((error: unknown) => ({ failed: error }));
}

function answerOf(records: { address: string; ttl: number }[]): Answer<string> {
  return { records: records.map((record) => record.address), ttlS: Math.min(...records.map((record) => record.ttl)) };
}

async function resolveServices(resolver: dns.Resolver, name: string): Promise<Answer<ServiceRecord>> {
  const records = await orNone(resolver.resolveSrv(name));
  const sorted = records.toSorted((a, b) => a.priority - b.priority || b.weight - a.weight);
  return { records: sorted.map((record) => ({ host: record.name, port: record.port })), ttlS: serviceTtlS };
}

/** "No such name" and "no such record" are answers; everything else (timeout, refusal, failure of the DNS server) rejects. */
async function orNone<T>(asked: Promise<T[]>): Promise<T[]> {
  try {
    return await asked;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOTFOUND" || code === "ENODATA") return [];
    throw error;
  }
}

/** Resolves to the value, or to null on failure or after the deadline. `abandon` then ends the remaining work. */
async function withinDeadline<T>(work: Promise<T>, abandon: () => void): Promise<T | null> {
  const { promise: expired, resolve: expire } = Promise.withResolvers<null>();
  const timer = setTimeout(() => expire(null), deadlineMs);
  try {
    return await Promise.race([work, expired]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
    abandon();
  }
}
