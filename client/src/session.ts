// Where a session is kept, and who may renew it: one at a time over all tabs, because a refresh token is good for one use.

import type { ProgramSession } from "./operations.ts";

/** `expires_at`: in seconds since 1970, by this machine's clock, so that a wrong one does no harm. */
export type Session = ProgramSession;

/** Where a session is kept: as `localStorage` is, but for answers that may be promises. */
export type SessionStorage = {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): void | Promise<void>;
  removeItem(key: string): void | Promise<void>;
};

/** Keeps a session for as long as the program runs. */
function memoryStorage(): SessionStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

/**
 * Keeps a session for all tabs of a browser, in IndexedDB: what one tab has written is what every other reads from then on.
 * `localStorage` promises that within one process alone, and a tab that renews with the token that another has just spent
 * ends the session.
 */
function browserStorage(): SessionStorage {
  let opened: Promise<IDBDatabase> | null = null;
  function open(): Promise<IDBDatabase> {
    opened ??= new Promise((resolve, reject) => {
      const request = indexedDB.open("spawnpoint-client", 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    return opened;
  }
  async function ask<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const transaction = (await open()).transaction(STORE, mode, { durability: "strict" });
    const request = work(transaction.objectStore(STORE));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }
  return {
    getItem: async (key) => ((await ask("readonly", (store) => store.get(key))) as string | undefined) ?? null,
    setItem: async (key, value) => void (await ask("readwrite", (store) => store.put(value, key))),
    removeItem: async (key) => void (await ask("readwrite", (store) => store.delete(key))),
  };
}

const STORE = "items";

/** That of the browser where there is one, else the program's memory. */
export const defaultStorage = (): SessionStorage =>
  typeof window !== "undefined" && typeof indexedDB !== "undefined" ? browserStorage() : memoryStorage();

/** A place for one session. What cannot be read is none. */
export function createSessionPlace(storage: SessionStorage, key: string) {
  return {
    async read(): Promise<Session | null> {
      const text = await storage.getItem(key);
      if (text === null || text === undefined) return null;
      try {
        const session: unknown = JSON.parse(text);
        return isSession(session) ? session : null;
      } catch {
        return null;
      }
    },
    async write(session: Session | null): Promise<void> {
      if (session) await storage.setItem(key, JSON.stringify(session));
      else await storage.removeItem(key);
    },
  };
}

function isSession(value: unknown): value is Session {
  if (typeof value !== "object" || value === null) return false;
  const { access_token, refresh_token, expires_at, user } = value as Partial<Session>;
  return (
    typeof access_token === "string" &&
    typeof refresh_token === "string" &&
    typeof expires_at === "number" &&
    typeof user?.id === "string"
  );
}

/** Runs one after the other: over all tabs where the browser has locks, else within this program. */
export function createTurns(name: string) {
  let last: Promise<unknown> = Promise.resolve();
  const locks = typeof window === "undefined" ? undefined : globalThis.navigator?.locks;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (locks) return locks.request(name, work) as Promise<T>;
    const turn = last.then(work, work);
    last = turn.catch(() => {});
    return turn;
  };
}
