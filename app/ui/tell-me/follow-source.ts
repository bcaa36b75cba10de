// The two places where somebody may be told, by one shape: this device (web push, no account) and a member's mail.
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
 * Why nothing is done, by web push or by mail. `unable`: this browser knows no web push. `home_screen`: only a site on the home
 * screen can do it. `no_service`: the browser's own push service does not answer. `logged_out`: there is no member any more.
 */
export type FollowProblem =
  | Exclude<PushTrouble, "no push service">
  | "no_service"
  | "unable"
  | "home_screen"
  | "logged_out";

export type FollowOutcome = { ok: true; follows: ShownFollow[] } | { ok: false; why: FollowProblem };

/** None of them rejects. Each answers with all that is followed there now. */
export type FollowSource = {
  list(): Promise<FollowOutcome>;
  /** May ask the person for a permission: only after a press. */
  add(wanted: WantedFollow): Promise<FollowOutcome>;
  end(followId: string | "all"): Promise<FollowOutcome>;
};

/** What was heard is what the buttons of all pages show. */
async function kept(place: Place, asked: Promise<FollowOutcome>): Promise<FollowOutcome> {
  const outcome = await asked;
  if (outcome.ok) keepTold(place, outcome.follows);
  return outcome;
}

const OF_SUPPORT = { yes: null, no: "unable", refused: "refused", "needs home screen": "home_screen" } as const;

/** What stands in the way of web push in this browser, before anything is tried; null: nothing. */
export const deviceProblem = (): FollowProblem | null => OF_SUPPORT[pushSupport()];

/** With these no choice could be kept: the way on stands in their place. */
const BLOCKING: readonly FollowProblem[] = ["refused", "home_screen", "unable", "off", "logged_out"];
export const isBlocking = (problem: FollowProblem | null): boolean => problem !== null && BLOCKING.includes(problem);

type PushOutcome = Awaited<ReturnType<typeof follows>>;

const outcomeOf = (outcome: PushOutcome): FollowOutcome =>
  outcome.ok ? outcome : { ok: false, why: outcome.why === "no push service" ? "no_service" : outcome.why };

async function subscribeAndFollow(wanted: WantedFollow): Promise<PushOutcome> {
  const subscribed = await subscribe();
  return subscribed.ok ? follow(wanted) : subscribed;
}

/** Has the site send one notification to this device. */
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
    // It leads whoever is no member to the sign-in.
    if (answer.type === "opaqueredirect") return { ok: false, why: "logged_out" };
    const said: FollowsAnswer = await answer.json();
    if ("follows" in said) return { ok: true, follows: said.follows };
    return { ok: false, why: said.error === "unreadable" ? "away" : said.error };
  } catch {
    return { ok: false, why: "away" };
  }
}
