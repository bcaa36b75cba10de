// Serves /push/*, where browsers without an account manage their subscription and follows; and /worker.js.
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { z } from "zod";
import { isDatabaseAway } from "#db/database-away.ts";
import { type FollowReader, follow, listFollows, type NotFollowed, unfollow } from "#domain/notifications/follows.ts";
import { openPushKeys } from "#domain/notifications/push-keys.ts";
import { findPushTarget, knowsAuth, type PushCredential, queueTestPush } from "#domain/notifications/push-targets.ts";
import { endTarget, markTargetSeen, moveTarget, registerTarget, type Target } from "#domain/notifications/targets.ts";
import { createEndpointCheck, hasPushKeys } from "#outside/web-push.ts";
import type { Locale } from "#shared/locale.ts";
import {
  FOLLOW_KINDS,
  type FollowsAnswer,
  type PushKeyAnswer,
  type PushRefusal,
  type ShownFollow,
} from "#shared/push.ts";
import { browserHash } from "../accounts/device.ts";
import type { Members } from "../accounts/members.ts";
import type { AppParts } from "../context.ts";
import { message } from "../messages.ts";
import { clientKeysOf, isUncountedProxy } from "../request/client-keys.ts";
import { bodyOf, limitBody } from "../request/limited-body.ts";
import { NoPlaceError } from "../request/places.ts";
import { ofAccount, ofAddress } from "../request/rate-limits.ts";
import { readVisit } from "../request/visit.ts";
import { offlinePage } from "./offline-page.ts";
import { workerText } from "./worker.ts";

type Env = { Bindings: HttpBindings };

const MOST_BYTES = 4_096;
/** A subscribed user's page requests their follows once; a household behind one address has several of them. */
const ASKED = { tries: 120, seconds: 60 };
/** A member may have twenty browsers with thirty follows. */
const OF_MEMBER = { tries: 600, seconds: 24 * 3600 };
const TEST = { tries: 1, seconds: 60 };
const WARN_EVERY_MS = 3_600_000;

const endpoint = z.string().max(1_000);
const auth = z.string().max(100);
const subscription = z.object({ endpoint, keys: z.object({ p256dh: z.string().max(200), auth }) });
const id = z.number().int().min(1).max(2_147_483_647);
const shapes = {
  follow: z.object({
    subscription,
    locale: z.enum(["en", "de"]),
    follow: z.object({
      server_id: id.optional(),
      game_id: id.optional(),
      kind: z.enum(FOLLOW_KINDS),
      threshold: z.number().int().min(1).max(100_000).optional(),
    }),
  }),
  unfollow: z.union([
    z.object({ endpoint, auth, follow_id: z.guid() }),
    z.object({ endpoint, auth, all: z.literal(true) }),
  ]),
  credential: z.object({ endpoint, auth }),
  renew: z.object({ old: z.object({ endpoint, auth }), subscription }),
};

const STATUS: Record<PushRefusal, 400 | 404 | 409 | 429 | 503> = {
  off: 404,
  unreadable: 400,
  not_allowed: 400,
  not_found: 404,
  too_many: 409,
  often: 429,
  away: 503,
};

const REFUSED: Record<NotFollowed["reason"], PushRefusal> = {
  not_found: "not_found",
  not_followable: "unreadable",
  too_many: "too_many",
};

/**
 * The endpoints. The subscription is its own credential: a client that knows endpoint and secret part may read and change its
 * follows, and a wrong one is answered as one that isn't there. What is for members needs the session of the target's own member
 * as well, and another member finds nothing there.
 * @param options `hosts`: as in PUSH_HOSTS; `dns`: name servers as "address:port", the system's when absent
 */
export function pushEndpoint(
  parts: Pick<AppParts, "db" | "secret" | "siteUrl" | "limits" | "shares" | "log">,
  site: { read(): { settings: { site_name: string } } },
  options: {
    members: Pick<Members, "find" | "askerOf">;
    trustProxy: number;
    hosts: readonly string[];
    dns?: readonly string[];
  },
): Hono<Env> {
  const { db, secret, limits, shares, log } = parts;
  const { members, trustProxy, hosts } = options;
  const isOn = hosts[0] !== "none";
  const checkEndpoint = createEndpointCheck(options);
  const app = new Hono<Env>();
  const pages = () => (["en", "de"] as const).map((locale) => offlinePage(locale, site.read().settings.site_name));

  app.get("/worker.js", (c) => {
    const kept = pages().map(({ html, policy }) => html + policy);
    const text = workerText(kept, isOn);
    return c.body(text, 200, { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "no-cache" });
  });
  app.get("/push/offline/:locale{en|de}", (c) => {
    const { html, policy } = offlinePage(c.req.param("locale") as Locale, site.read().settings.site_name);
    return c.html(html, 200, {
      "Content-Security-Policy": policy,
      "Cache-Control": "no-cache",
      "X-Robots-Tag": "noindex",
    });
  });

  let warnedAt = Number.NEGATIVE_INFINITY;
  function warnFull(): void {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    log.warn("strangers have as many push subscriptions as the site takes");
  }

  const refuse = (c: Context<Env>, error: PushRefusal, afterS?: number) =>
    c.json({ error } satisfies FollowsAnswer, STATUS[error], {
      "Cache-Control": "no-store",
      ...(afterS !== undefined && { "Retry-After": String(afterS) }),
    });

  // Checked each time: a client that gets the key may subscribe next, which can't be saved without the database.
  app.get("/push/key", async (c) => {
    if (!isOn) return refuse(c, "off");
    const leave = await shares.forms.take(members.askerOf(c.env.incoming));
    try {
      const { publicKey: key } = await openPushKeys(db, secret);
      return c.json({ key } satisfies PushKeyAnswer, 200, { "Cache-Control": "no-store" });
    } finally {
      leave();
    }
  });

  const askedBy = (c: Context<Env>) => readVisit(c.env.incoming, trustProxy).ip;

  const browserOf = (c: Context<Env>) => browserHash(parts, c.req.header("Cookie") ?? null);

  /** Finds the target of a subscription, unless it belongs to another member than the one logged in; and how it may be read. */
  async function findOwn(
    c: Context<Env>,
    credential: PushCredential,
  ): Promise<(Target & { reader: FollowReader }) | null> {
    const target = await findPushTarget(db, secret, credential);
    const member = target && (await members.find(c.req.header("Cookie")));
    if (!target || (member && target.user_id !== null && target.user_id !== member.user_id)) return null;
    return { ...target, reader: member && target.user_id === member.user_id ? "owner" : "stranger" };
  }

  async function answerFollows(c: Context<Env>, target: { target_id: string; reader: FollowReader } | null) {
    const follows = target ? await listFollows(db, { target_id: target.target_id }, target.reader) : [];
    return c.json({ follows: follows.map(shown) } satisfies FollowsAnswer, 200, { "Cache-Control": "no-store" });
  }

  /** Adds an endpoint: checks limits, then the shape, then acts under a concurrency slot. */
  function answers<Shape extends z.ZodType>(
    name: string,
    shape: Shape,
    act: (c: Context<Env>, said: z.output<Shape>) => Promise<Response>,
  ): void {
    app.post(
      `/push/${name}`,
      limitBody(MOST_BYTES, (c) => c.json({ error: "unreadable" }, 413)),
      async (c) => {
        if (!isOn) return refuse(c, "off");
        const said = shape.safeParse(readJson(bodyOf(c)));
        if (!said.success) return refuse(c, "unreadable");
        const leave = await shares.forms.take(members.askerOf(c.env.incoming));
        try {
          const wait = await limits.consume(ofAddress("push", askedBy(c), ASKED));
          return wait === null ? await act(c, said.data) : refuse(c, "often", wait);
        } finally {
          leave();
        }
      },
    );
  }

  answers("follow", shapes.follow, async (c, { subscription, locale, follow: wish }) => {
    const { endpoint, keys } = subscription;
    const trouble = hasPushKeys(keys) ? await checkEndpoint(endpoint) : "not_allowed";
    if (trouble !== "ok") return refuse(c, trouble);
    const ip = askedBy(c);
    const member = await members.find(c.req.header("Cookie"));
    const wait = member && (await limits.consume([ofAccount("push", member.user_id, OF_MEMBER)]));
    if (wait !== null) return refuse(c, "often", wait);
    const registered = await registerTarget(db, secret, {
      kind: "push",
      identity: endpoint,
      address: { endpoint, p256dh: keys.p256dh, auth: keys.auth },
      locale,
      user_id: member?.user_id ?? null,
      browser: member && browserOf(c),
      from: isUncountedProxy(ip) ? null : clientKeysOf(ip),
      knows: (address) => address === null || knowsAuth(address, keys.auth),
    });
    if (!registered.ok) {
      if (registered.reason === "full") warnFull();
      return refuse(c, registered.reason === "not_theirs" ? "not_found" : "too_many");
    }
    const { target } = registered;
    const reader = member ? "owner" : "stranger";
    const followed = await follow(db, target.target_id, wish, reader);
    if (followed.ok) return answerFollows(c, { ...target, reader });
    // The site doesn't store the address of a browser without follows.
    if ((await listFollows(db, { target_id: target.target_id })).length === 0) await endTarget(db, target.target_id);
    return refuse(c, REFUSED[followed.reason]);
  });

  answers("unfollow", shapes.unfollow, async (c, said) => {
    if ("all" in said) {
      // The request unsubscribes the browser, so it receives nothing any more, for any member.
      const target = await findPushTarget(db, secret, said);
      if (!target) return refuse(c, "not_found");
      await unfollow(db, { target_id: target.target_id }, "all");
      await endTarget(db, target.target_id);
      return answerFollows(c, null);
    }
    const target = await findOwn(c, said);
    const whose = target && { target_id: target.target_id };
    if (!whose || (await unfollow(db, whose, said.follow_id)) === 0) return refuse(c, "not_found");
    if ((await listFollows(db, whose)).length > 0) return answerFollows(c, target);
    await endTarget(db, target.target_id);
    return answerFollows(c, null);
  });

  answers("follows", shapes.credential, async (c, credential) => {
    const target = await findOwn(c, credential);
    // For another member this browser has no follows, until they follow something with it themselves.
    if (!target)
      return (await findPushTarget(db, secret, credential)) ? answerFollows(c, null) : refuse(c, "not_found");
    await markTargetSeen(db, target.target_id, target.reader === "owner" ? browserOf(c) : null);
    return answerFollows(c, target);
  });

  answers("renew", shapes.renew, async (c, { old, subscription: { endpoint, keys } }) => {
    const trouble = hasPushKeys(keys) ? await checkEndpoint(endpoint) : "not_allowed";
    if (trouble !== "ok") return refuse(c, trouble);
    const target = await findOwn(c, old);
    const isMoved =
      target !== null &&
      (await moveTarget(db, secret, target.target_id, {
        kind: "push",
        identity: endpoint,
        address: { endpoint, p256dh: keys.p256dh, auth: keys.auth },
        knows: (address) => address === null || knowsAuth(address, keys.auth),
      }));
    return isMoved ? answerFollows(c, target) : refuse(c, "not_found");
  });

  answers("test", shapes.credential, async (c, credential) => {
    const target = await findOwn(c, credential);
    if (!target) return refuse(c, "not_found");
    const wait = await limits.consume([{ name: "push-test", of: target.target_id, budget: TEST }]);
    if (wait !== null) return refuse(c, "often", wait);
    const say = (name: "push_test_title" | "push_test_body") =>
      message(target.locale, name, { site: site.read().settings.site_name });
    await queueTestPush(db, target.target_id, {
      title: say("push_test_title"),
      body: say("push_test_body"),
      path: "/following",
    });
    return answerFollows(c, target);
  });

  app.onError((error, c) => {
    if (isDatabaseAway(error)) return refuse(c, "away", 5);
    if (error instanceof NoPlaceError) return refuse(c, "often", 5);
    throw error;
  });
  return app;
}

function readJson(bytes: Uint8Array | null): unknown {
  try {
    return JSON.parse(Buffer.from(bytes ?? []).toString());
  } catch {
    return undefined;
  }
}

const shown = (one: Awaited<ReturnType<typeof listFollows>>[number]): ShownFollow => ({
  follow_id: one.follow_id,
  kind: one.kind,
  threshold: one.threshold,
  server_id: one.server_id,
  game_id: one.game_id,
  name: one.server_id === null ? one.game_name : one.server_name,
});
