/** Connects an outpost to its site: one report after the other, each signed with the site's last nonce. */
import {
  MOST_AGE_MS,
  MOST_RESULTS,
  NONCE_HEADER,
  type OutpostResult,
  SIGNATURE_HEADER,
  signWork,
  WORK_PATH,
  type WorkReply,
  type WorkRequest,
  workReply,
} from "#domain/outposts/wire.ts";

const DEADLINE_MS = 10_000;
/** Twenty thousand game servers with long names. */
const MOST_REPLY_BYTES = 16 * 1024 * 1024;
/** A site that keeps answering "not signed" is unusable. */
const MOST_NONCES = 3;

/** A result, timed by this machine's monotonic clock. */
export type Seen = Omit<OutpostResult, "age_ms"> & { askedAt: number };

export type Said =
  | { kind: "work"; reply: WorkReply }
  /** The site rejects the token. */
  | { kind: "refused" }
  /** Unreachable, or an unexpected answer; `waitMs`: the requested pause, null if none. */
  | { kind: "away"; reason: string; waitMs: number | null };

/** Creates the link. `siteUrl` is an origin. */
export function createSiteLink(options: { siteUrl: string; token: string; version: string; signal: AbortSignal }) {
  const { siteUrl, token, version, signal } = options;
  let nonce = "";
  let roundTripMs: number | null = null;

  async function post(list: string | null, seen: Seen[]): Promise<Response> {
    const now = performance.now();
    const results = seen.flatMap(({ askedAt, ...rest }) => {
      const age_ms = Math.max(0, Math.round(now - askedAt));
      return age_ms > MOST_AGE_MS ? [] : [{ ...rest, age_ms }];
    });
    const request: WorkRequest = { version, list, date_ms: Date.now(), round_trip_ms: roundTripMs, results };
    const body = JSON.stringify(request);
    const response = await fetch(siteUrl + WORK_PATH, {
      method: "POST",
      body,
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        [SIGNATURE_HEADER]: signWork(token, nonce, body),
      },
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
    });
    roundTripMs = Math.round(performance.now() - now);
    return response;
  }

  return {
    /** Sends at most MOST_RESULTS results, and returns the targets. Never rejects. */
    async report(list: string | null, seen: Seen[]): Promise<Said> {
      try {
        for (let attempt = 1; attempt <= MOST_NONCES; attempt++) {
          const response = await post(list, seen.slice(0, MOST_RESULTS));
          const next = response.status === 409 ? response.headers.get(NONCE_HEADER) : null;
          if (next === null) return await read(response);
          await response.body?.cancel();
          nonce = next;
        }
        return { kind: "away", reason: "another outpost uses this token", waitMs: null };
      } catch (error) {
        return { kind: "away", reason: reasonOf(error), waitMs: null };
      }
    },
  };

  async function read(response: Response): Promise<Said> {
    const { status, headers } = response;
    if (status !== 200) {
      await response.body?.cancel();
      // Only the site itself answers like this; a proxy may have its own 401.
      if (status === 401 && /invalid_token/.test(headers.get("WWW-Authenticate") ?? "")) return { kind: "refused" };
      const waitS = Number(headers.get("Retry-After") ?? Number.NaN);
      return { kind: "away", reason: `it answers ${status}`, waitMs: waitS > 0 ? Math.min(waitS, 600) * 1000 : null };
    }
    const reply = workReply.safeParse(JSON.parse(await readText(response)));
    if (!reply.success) return { kind: "away", reason: "what it answers is not for an outpost", waitMs: null };
    nonce = reply.data.nonce;
    return { kind: "work", reply: reply.data };
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Counts unpacked bytes, so that a small answer can't become large.
    if (size > MOST_REPLY_BYTES) throw new Error("its answer is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Describes an error briefly; fetch hides the reason in the cause. */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return "what it answers is not for an outpost";
  if (error instanceof DOMException && error.name === "TimeoutError") return "it does not answer";
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause ? String(cause.code) : cause.message;
}
