// /push/*: what a browser says of its subscription and what it follows, without an account; and /worker.js.
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { z } from "zod";
import { isDatabaseAway } from "#db/database-away.ts";
import { follow, listFollows, type NotFollowed, unfollow } from "#domain/notifications/follows.ts";
import { openPushKeys } from "#domain/notifications/push-keys.ts";
import { findPushTarget, knowsAuth, queueTestPush } from "#domain/notifications/push-targets.ts";
import { endTarget, markTargetSeen, moveTarget, registerTarget, type Target } from "#domain/notifications/targets.ts";
import { hasPushKeys, hostOfEndpoint } from "#outside/web-push.ts";
import type { Locale } from "#shared/locale.ts";
import {
  FOLLOW_KINDS,
  type FollowsAnswer,
  type PushKeyAnswer,
  type PushRefusal,
  type ShownFollow,
} from "#shared/push.ts";
import type { Members } from "../accounts/members.ts";
import type { AppParts } from "../context.ts";
import { message } from "../messages.ts";
import { bodyOf, limitBody } from "../request/limited-body.ts";
import { NoPlaceError } from "../request/places.ts";
import { ofAddress } from "../request/rate-limits.ts";
import { isUncountedProxy, limitedAddress, readVisit } from "../request/visit.ts";
import { offlinePage } from "./offline-page.ts";
import { workerText } from "./worker.ts";

type Env = { Bindings: HttpBindings };

const MOST_BYTES = 4_096;
/** A page of somebody who is subscribed asks once what they follow; a household behind one address has several of them. */
const ASKED = { tries: 120, seconds: 60 };
const TEST = { tries: 1, seconds: 60 };

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
 * The endpoints. The subscription is its own credential: who knows endpoint and secret part of one may say what it is told, and
 * a wrong one is answered as one that is not there. @param hosts PUSH_HOSTS
 */
export function pushEndpoint(
  parts: Pick<AppParts, "db" | "secret" | "limits" | "shares">,
  site: { read(): { settings: { site_name: string } } },
  options: { members: Members; trustProxy: number; hosts: readonly string[] },
): Hono<Env> {
  const { db, secret, limits, shares } = parts;
  const { members, trustProxy, hosts } = options;
  const isOn = hosts[0] !== "none";
  const app = new Hono<Env>();
  const pages = () => (["en", "de"] as const).map((locale) => offlinePage(locale, site.read().settings.site_name));

  app.get("/worker.js", (c) => {
    const text = workerText(isOn ? pages().map(({ html, policy }) => html + policy) : null);
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

  const refuse = (c: Context<Env>, error: PushRefusal, afterS?: number) =>
    c.json({ error } satisfies FollowsAnswer, STATUS[error], {
      "Cache-Control": "no-store",
      ...(afterS !== undefined && { "Retry-After": String(afterS) }),
    });

  // Read each time: who is given it may press next, and without the database nothing that they press could be kept.
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

  async function answerFollows(c: Context<Env>, target: Pick<Target, "target_id"> | null) {
    const follows = target ? await listFollows(db, { target_id: target.target_id }) : [];
    return c.json({ follows: follows.map(shown) } satisfies FollowsAnswer, 200, { "Cache-Control": "no-store" });
  }

  /** Adds an endpoint: limits first, then the shape, then what it does in a place of its own. */
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
          const wait = await limits.consume([ofAddress("push", askedBy(c), ASKED)]);
          return wait === null ? await act(c, said.data) : refuse(c, "often", wait);
        } finally {
          leave();
        }
      },
    );
  }

  answers("follow", shapes.follow, async (c, { subscription, locale, follow: wish }) => {
    const { endpoint, keys } = subscription;
    if (hostOfEndpoint(endpoint, hosts) === null || !hasPushKeys(keys)) return refuse(c, "not_allowed");
    const ip = askedBy(c);
    const member = await members.find(c.req.header("Cookie"));
    const registered = await registerTarget(db, secret, {
      kind: "push",
      identity: endpoint,
      address: { endpoint, p256dh: keys.p256dh, auth: keys.auth },
      locale,
      user_id: member?.user_id ?? null,
      from: isUncountedProxy(ip) ? null : limitedAddress(ip),
      knows: (address) => address === null || knowsAuth(address, keys.auth),
    });
    if (!registered.ok) return refuse(c, registered.reason === "too_many" ? "too_many" : "not_found");
    const { target } = registered;
    const followed = await follow(db, target.target_id, wish);
    if (followed.ok) return answerFollows(c, target);
    // Nobody keeps the address of a browser that follows nothing.
    if ((await listFollows(db, { target_id: target.target_id })).length === 0) await endTarget(db, target.target_id);
    return refuse(c, REFUSED[followed.reason]);
  });

  answers("unfollow", shapes.unfollow, async (c, said) => {
    const target = await findPushTarget(db, secret, said);
    if (!target) return refuse(c, "not_found");
    const whose = { target_id: target.target_id };
    const ended = await unfollow(db, whose, "all" in said ? "all" : said.follow_id);
    if (ended === 0 && !("all" in said)) return refuse(c, "not_found");
    if ((await listFollows(db, whose)).length > 0) return answerFollows(c, target);
    await endTarget(db, target.target_id);
    return answerFollows(c, null);
  });

  answers("follows", shapes.credential, async (c, credential) => {
    const target = await findPushTarget(db, secret, credential);
    if (!target) return refuse(c, "not_found");
    await markTargetSeen(db, target.target_id);
    return answerFollows(c, target);
  });

  answers("renew", shapes.renew, async (c, { old, subscription: { endpoint, keys } }) => {
    if (hostOfEndpoint(endpoint, hosts) === null || !hasPushKeys(keys)) return refuse(c, "not_allowed");
    const target = await findPushTarget(db, secret, old);
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
    const target = await findPushTarget(db, secret, credential);
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
