// Serves POST /discord/interactions: Discord forwards a user's slash command. Answers from memory, without waiting for the
// database (decision 044).
import { createPublicKey, verify } from "node:crypto";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import type { Logger } from "pino";
import { z } from "zod";
import { choicesFor, replyTo } from "#content/discord/replies.ts";
import type { Locale } from "#shared/locale.ts";
import type { SiteOfRequest } from "../pages/site-snapshot.ts";
import { bodyOf, limitBody } from "../request/limited-body.ts";

export const INTERACTIONS_PATH = "/discord/interactions";

const MOST_BYTES = 64 * 1024;
/** Older requests, or ones dated later, are refused. */
const MOST_AGE_MS = 5_000;
const SAID_AGAIN_MS = 10 * 60_000;

const PING = 1;
const COMMAND = 2;
const AUTOCOMPLETE = 4;

/** The fields of an interaction that the site uses. */
const interactionShape = z.object({
  type: z.int(),
  locale: z.string().max(20).catch(""),
  data: z
    .object({
      name: z.string().max(32),
      options: z
        .array(
          z.object({
            name: z.string().max(32),
            value: z.union([z.string().max(6000), z.boolean(), z.number()]).optional(),
            focused: z.boolean().catch(false),
          }),
        )
        .max(25)
        .catch([]),
    })
    .optional(),
});

/**
 * Makes the endpoint: 200 with the reply, 400 no interaction, 401 not signed by Discord, signed too long ago or sent before,
 * 413 too large.
 * @param publicKey of the application, as 64 hexadecimal digits
 */
export function interactionsEndpoint(publicKey: string, site: SiteOfRequest, log: Logger) {
  const isSigned = createSignatureCheck(publicKey);
  const isNew = createMemory();
  const warnOfClock = createClockWarning(log);
  const app = new Hono<{ Bindings: HttpBindings }>();

  app.post(
    "/",
    limitBody(MOST_BYTES, (c, why) => refuse(c, why === "slow" ? 408 : 413)),
    (c) => {
      const body = bodyOf(c) ?? new Uint8Array();
      const timestamp = c.req.header("X-Signature-Timestamp") ?? "";
      const signature = c.req.header("X-Signature-Ed25519") ?? "";
      if (!isSigned(timestamp, signature, body)) return refuse(c, 401);
      const ageMs = Date.now() - Number(timestamp) * 1000;
      if (ageMs < -MOST_AGE_MS || ageMs > MOST_AGE_MS) {
        warnOfClock(ageMs);
        return refuse(c, 401);
      }
      if (!isNew(signature.toLowerCase())) return refuse(c, 401);
      const asked = interactionShape.safeParse(readJson(body));
      const answer = asked.success ? answerTo(asked.data, () => site.readFor(c.env.incoming)) : null;
      return answer ? c.json(answer, 200, { "Cache-Control": "no-store" }) : refuse(c, 400);
    },
  );
  return app;
}

const refuse = (c: Context, status: 400 | 401 | 408 | 413) => c.body(null, status, { "Cache-Control": "no-store" });

function answerTo(asked: z.infer<typeof interactionShape>, read: () => ReturnType<SiteOfRequest["readFor"]>) {
  if (asked.type === PING) return { type: PING };
  if (!asked.data) return null;
  const { name, options } = asked.data;
  if (asked.type === AUTOCOMPLETE) {
    return choicesFor(String(options.find(({ focused }) => focused)?.value ?? "").slice(0, 100), read());
  }
  if (asked.type !== COMMAND) return null;
  const given = options.map((each) => [each.name, each.value === true ? true : String(each.value ?? "").slice(0, 100)]);
  return replyTo({ name, options: Object.fromEntries(given) }, read(), localeOf(asked.locale));
}

/** The user's language at Discord. */
const localeOf = (locale: string): Locale => (/^de\b/i.test(locale) ? "de" : "en");

/** Checks Ed25519 over the timestamp and the body (RFC 8032), as Discord signs. */
function createSignatureCheck(publicKey: string) {
  const x = Buffer.from(publicKey, "hex").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return (timestamp: string, signature: string, body: Uint8Array): boolean =>
    /^\d{1,12}$/.test(timestamp) &&
    /^[\da-f]{128}$/i.test(signature) &&
    verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, "hex"));
}

/** Remembers signatures while they are valid: the same request is answered once. */
function createMemory() {
  let [young, old] = [new Set<string>(), new Set<string>()];
  let turnedAt = performance.now();
  return (signature: string): boolean => {
    // Each is in one of the two for at least as long as its time is valid.
    if (performance.now() - turnedAt > 2 * MOST_AGE_MS + 2_000) {
      [young, old] = [new Set(), young];
      turnedAt = performance.now();
    }
    if (young.has(signature) || old.has(signature)) return false;
    young.add(signature);
    return true;
  };
}

/** Only Discord can sign: if its requests are late, this machine's clock is wrong, or they are being replayed. */
function createClockWarning(log: Logger) {
  let saidAt = -Infinity;
  return (ageMs: number): void => {
    if (performance.now() - saidAt < SAID_AGAIN_MS) return;
    saidAt = performance.now();
    log.warn(
      { age_s: Math.round(ageMs / 1000) },
      "a request that Discord signed says to be from another time, and was refused: is this machine's clock right?",
    );
  };
}

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return null;
  }
}
