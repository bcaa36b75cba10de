/** Writes by the front door without a pause, and remembers every write that the site has acknowledged. */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "#db/client.ts";

export type AuditingClient = {
  acknowledged: Set<string>;
  /** Answers that were neither a yes nor a refusal for now (503, 429), in words. */
  strange: string[];
  /** Each refusal by 503: when it was asked for and when refused, in ms of `performance.now()`. */
  refusals: { askedAt: number; refusedAt: number }[];
  stop(): Promise<void>;
};

const LONGEST_MS = 10_000;
/** The form takes nothing that was filled in faster. */
const FORM_MS = 2_100;

/**
 * Sends messages by the contact form, `lanes` at a time, each from an address of its own (the site must trust one proxy).
 * Whoever calls it empties `rate_limits` now and then, or the site's hourly budget ends it.
 */
export async function startAuditingClient(url: string, lanes = 4): Promise<AuditingClient> {
  const form = await (await fetch(`${url}/contact`)).text();
  const opened =
    /name="opened"[^>]*value="([^"]+)"/.exec(form)?.[1] ?? /value="([^"]+)"[^>]*name="opened"/.exec(form)?.[1];
  if (!opened) throw new Error("the contact form has no moment of its opening");
  await pause(FORM_MS);
  const client = {
    acknowledged: new Set<string>(),
    strange: [] as string[],
    refusals: [] as AuditingClient["refusals"],
  };
  let sent = 0;
  let stopped = false;

  const fields = { name: "Auditor", email: "auditor@example.org", website: "", opened };

  async function write(): Promise<void> {
    sent += 1;
    const message = `audit ${randomUUID()}`;
    const body = new URLSearchParams({ ...fields, message });
    const headers = {
      Origin: url,
      "Sec-Fetch-Site": "same-origin",
      "X-Forwarded-For": `198.18.${(sent >> 8) & 255}.${sent & 255}`,
    };
    const askedAt = performance.now();
    const signal = AbortSignal.timeout(LONGEST_MS);
    const answer = await fetch(`${url}/contact`, { method: "POST", redirect: "manual", headers, body, signal });
    await answer.arrayBuffer();
    if (answer.status === 302) client.acknowledged.add(message);
    else if (answer.status === 503) client.refusals.push({ askedAt, refusedAt: performance.now() });
    // Told to slow down, it promised nothing.
    else if (answer.status === 429) await pause(100);
    else client.strange.push(`${answer.status} after ${Math.round(performance.now() - askedAt)} ms`);
  }

  const running = Array.from({ length: lanes }, async () => {
    // Whoever gets no answer at all has no promise either.
    while (!stopped)
      await write()
        .catch(() => pause(50))
        .then(() => pause(20));
  });
  return {
    ...client,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}

/** The acknowledged writes that the database does not hold. */
export async function listLost({ sql }: Database, { acknowledged }: AuditingClient): Promise<string[]> {
  // What is acknowledged while the database is read is none of those.
  const promised = [...acknowledged];
  const rows = await sql<{ message: string }[]>`SELECT message FROM contacts WHERE message LIKE 'audit %'`;
  const held = new Set(rows.map(({ message }) => message));
  return promised.filter((message) => !held.has(message));
}
