// Two channels for follows with one interface: this device (web push, no account) and a member's mail.
import type { FollowsAnswer, ShownFollow, WantedFollow } from "#shared/push.ts";
import { here } from "../../language.ts";
import {
  follow,
  follows,
  type PushTrouble,
  pushSupport,
  sendTest,
  subscribe,
  unfollow,
} from "../../push/subscription.ts";
import { keepTold, type Place } from "./told.ts";

/**
 * Why following failed, by web push or mail. `unable`: no web push in this browser. `home_screen`: only a site on the home screen
 * can. `no_service`: the browser's push service doesn't answer. `logged_out`: no member any more.
 */
export type FollowProblem =
  | Exclude<PushTrouble, "no push service">
  | "no_service"
  | "unable"
  | "home_screen"
  | "logged_out";

export type FollowOutcome = { ok: true; follows: ShownFollow[] } | { ok: false; why: FollowProblem };

/** Never reject. Each returns all current follows. */
export type FollowSource = {
  list(): Promise<FollowOutcome>;
  /** May prompt for permission: only after a press. */
  add(wanted: WantedFollow): Promise<FollowOutcome>;
  end(followId: string | "all"): Promise<FollowOutcome>;
};

/** Stores the answer for the buttons of all pages. */
async function kept(place: Place, asked: Promise<FollowOutcome>): Promise<FollowOutcome> {
  const outcome = await asked;
  if (outcome.ok) keepTold(place, outcome.follows);
  return outcome;
}

const OF_SUPPORT = { yes: null, no: "unable", refused: "refused", "needs home screen": "home_screen" } as const;

/** Returns what prevents web push in this browser, before any attempt; null: nothing. */
export const deviceProblem = (): FollowProblem | null => OF_SUPPORT[pushSupport()];

/** Nothing can be followed with these: help is shown instead. */
const BLOCKING: readonly FollowProblem[] = ["refused", "home_screen", "unable", "off", "logged_out"];
export const isBlocking = (problem: FollowProblem | null): boolean => problem !== null && BLOCKING.includes(problem);

type PushOutcome = Awaited<ReturnType<typeof follows>>;

const outcomeOf = (outcome: PushOutcome): FollowOutcome =>
  outcome.ok ? outcome : { ok: false, why: outcome.why === "no push service" ? "no_service" : outcome.why };

async function subscribeAndFollow(wanted: WantedFollow): Promise<PushOutcome> {
  const subscribed = await subscribe();
  return subscribed.ok ? follow(wanted) : subscribed;
}

/** Makes the site send a test notification to this device. */
export const testDevice = async (): Promise<FollowOutcome> => outcomeOf(await sendTest());

export const byPush: FollowSource = {
  list: () => kept("device", follows().then(outcomeOf)),
  add: (wanted) => kept("device", subscribeAndFollow(wanted).then(outcomeOf)),
  end: (followId) => kept("device", unfollow(followId).then(outcomeOf)),
};

export const byMail: FollowSource = {
  list: () => kept("mail", askByMail()),
  add: (wanted) => kept("mail", askByMail({ intent: "follow", ...wanted })),
  end: (followId) => kept("mail", askByMail({ intent: "end", follow_id: followId })),
};

const WITHIN_MS = 10_000;

async function askByMail(fields?: Record<string, string | number | undefined>): Promise<FollowOutcome> {
  const texts = Object.entries(fields ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const init = fields ? { method: "POST", body: new URLSearchParams(texts) } : {};
  try {
    const signal = AbortSignal.timeout(WITHIN_MS);
    const answer = await fetch(here("/following/mail"), { ...init, redirect: "manual", signal });
    // A redirect to the login: no member.
    if (answer.type === "opaqueredirect") return { ok: false, why: "logged_out" };
    const said: FollowsAnswer = await answer.json();
    if ("follows" in said) return { ok: true, follows: said.follows };
    return { ok: false, why: said.error === "unreadable" ? "away" : said.error };
  } catch {
    return { ok: false, why: "away" };
  }
}
