// The browser's end of web push: asks for permission, subscribes, and says to the site what this browser follows. Loaded when
// somebody presses, and never before.
import {
  type FollowsAnswer,
  MINE_PATH,
  OFFLINE_CACHE,
  type PushKeyAnswer,
  type PushRefusal,
  type SentSubscription,
  type ShownFollow,
  type WantedFollow,
  WORKER_PATH,
} from "#shared/push.ts";

/**
 * Whether this browser can be told. `needs home screen`: an iPhone or iPad, where only a site on the home screen can.
 * `refused`: its owner has said no, and only its own settings undo that. `no`: it knows no web push, or not at this address
 * (it needs https).
 */
export type PushSupport = "yes" | "needs home screen" | "no" | "refused";

/**
 * Why something was not done. `refused`: permission was denied. `dismissed`: the question was closed without an answer, and may
 * be asked again. `no push service`: the browser could not reach its maker's (or has it turned off). `gone`: this browser is not
 * subscribed, or the site has forgotten it. `away`: the site could not be reached; nothing was changed as far as is known.
 */
export type PushTrouble = Exclude<PushRefusal, "unreadable"> | "refused" | "dismissed" | "no push service" | "gone";

/** `follows`: all that this browser follows from now on. */
export type FollowsOutcome = { ok: true; follows: ShownFollow[] } | { ok: false; why: PushTrouble };

const WITHIN_MS = 10_000;
/** How long the worker may take to be ready; a browser whose storage is full never is. */
const READY_WITHIN_MS = 10_000;

export function pushSupport(): PushSupport {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    // Only Apple's browsers say it, and only on phones and tablets can it be otherwise.
    const { standalone } = navigator as Navigator & { standalone?: boolean };
    return standalone === false && navigator.maxTouchPoints > 0 && isSecureContext ? "needs home screen" : "no";
  }
  return Notification.permission === "denied" ? "refused" : "yes";
}

/**
 * Asks for permission, sets the worker up and subscribes. Call it in the very handler of a press: browsers ask nobody otherwise.
 * What is there already is kept.
 */
export async function subscribe(): Promise<{ ok: true } | { ok: false; why: PushTrouble }> {
  const support = pushSupport();
  if (support !== "yes") return { ok: false, why: support === "refused" ? "refused" : "no push service" };
  // First of all, before anything is waited for: the press counts for a moment only.
  const asked = Notification.requestPermission();
  const keyAsked = askKey();
  const permission = await asked;
  if (permission !== "granted") return { ok: false, why: permission === "denied" ? "refused" : "dismissed" };
  const answer = await keyAsked;
  if (!("key" in answer)) return { ok: false, why: troubleOf(answer.error) };
  try {
    const registration = await readyWorker();
    if (!registration) return { ok: false, why: "no push service" };
    const there = await registration.pushManager.getSubscription();
    if (there && isMadeWith(there, answer.key)) return { ok: true };
    // Made with a key that the site has no more: nothing would ever arrive.
    await there?.unsubscribe();
    await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: answer.key });
    return { ok: true };
  } catch {
    return { ok: false, why: Notification.permission === "denied" ? "refused" : "no push service" };
  }
}

/** Follows one thing more with this browser, in the language of the page. */
export async function follow(wanted: WantedFollow): Promise<FollowsOutcome> {
  const subscription = await currentSubscription();
  if (!subscription) return { ok: false, why: "gone" };
  const locale = document.documentElement.lang === "de" ? "de" : "en";
  const outcome = outcomeOf(await call<FollowsAnswer>("follow", { subscription, locale, follow: wanted }));
  if (outcome.ok) await keepCredential(subscription);
  return outcome;
}

/** Ends one follow of this browser, or all of them: then it is unsubscribed too, and the site keeps nothing of it. */
export async function unfollow(which: string | "all"): Promise<FollowsOutcome> {
  const subscription = await currentSubscription();
  if (!subscription) return { ok: true, follows: [] };
  const wanted = which === "all" ? { all: true } : { follow_id: which };
  const asked = call<FollowsAnswer>("unfollow", { ...credentialOf(subscription), ...wanted });
  if (which !== "all") return outcomeOf(await asked);
  await asked;
  // Whatever the site answered, and if it did not: nothing arrives any more, and it forgets what nothing arrives at.
  const registration = await navigator.serviceWorker.getRegistration();
  const there = await registration?.pushManager.getSubscription();
  await there?.unsubscribe().catch(() => false);
  await caches.open(OFFLINE_CACHE).then(
    (cache) => cache.delete(MINE_PATH),
    () => false,
  );
  return { ok: true, follows: [] };
}

/**
 * What this browser follows; the site then knows that it is still there. Where it is not subscribed, whether it could be: nobody
 * is to give a permission for what the site cannot do just now.
 */
export async function follows(): Promise<FollowsOutcome> {
  const subscription = await currentSubscription();
  if (!subscription) {
    const answer = pushSupport() === "yes" ? await askKey() : null;
    return answer && "error" in answer ? { ok: false, why: troubleOf(answer.error) } : { ok: true, follows: [] };
  }
  const before = await keptCredential();
  // The browser has renewed it, and the worker could not say so.
  if (before && before.endpoint !== subscription.endpoint) {
    const renewed = outcomeOf(await call<FollowsAnswer>("renew", { old: before, subscription }));
    if (renewed.ok) await keepCredential(subscription);
    if (renewed.ok || renewed.why !== "not_found") return renewed;
  }
  const outcome = outcomeOf(await call<FollowsAnswer>("follows", credentialOf(subscription)));
  // The site has removed it, as after a logout here: the browser keeps its subscription, and the next press registers it again.
  return !outcome.ok && outcome.why === "not_found" ? { ok: true, follows: [] } : outcome;
}

/** Has the site send a notification to this browser; once a minute. */
export async function sendTest(): Promise<FollowsOutcome> {
  const subscription = await currentSubscription();
  if (!subscription) return { ok: false, why: "gone" };
  return outcomeOf(await call<FollowsAnswer>("test", credentialOf(subscription)));
}

/** The subscription of this browser as the site takes it; null: there is none, or permission was taken back. */
async function currentSubscription(): Promise<SentSubscription | null> {
  if (pushSupport() !== "yes") return null;
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    const { endpoint, keys } = (await registration?.pushManager.getSubscription())?.toJSON() ?? {};
    if (!endpoint || !keys?.p256dh || !keys.auth) return null;
    return { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
  } catch {
    return null;
  }
}

const credentialOf = ({ endpoint, keys }: SentSubscription) => ({ endpoint, auth: keys.auth });

/** What the site knows this browser by, kept for when its subscription is renewed: the old one is not told to anybody then. */
async function keepCredential(subscription: SentSubscription): Promise<void> {
  const cache = await caches.open(OFFLINE_CACHE).catch(() => null);
  // Not Response.json: iPhones that know push already (iOS 16.4) do not know that.
  await cache?.put(MINE_PATH, new Response(JSON.stringify(credentialOf(subscription)))).catch(() => {});
}

async function keptCredential(): Promise<{ endpoint: string; auth: string } | null> {
  try {
    const cache = await caches.open(OFFLINE_CACHE);
    return (await (await cache.match(MINE_PATH))?.json()) ?? null;
  } catch {
    return null;
  }
}

/** The worker, running; null where it did not begin in time. */
async function readyWorker(): Promise<ServiceWorkerRegistration | null> {
  await navigator.serviceWorker.register(WORKER_PATH);
  const late = new Promise<null>((resolve) => setTimeout(resolve, READY_WITHIN_MS, null));
  return Promise.race([navigator.serviceWorker.ready, late]);
}

function isMadeWith(subscription: PushSubscription, key: string): boolean {
  const bytes = subscription.options.applicationServerKey;
  if (!bytes) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === key;
}

const troubleOf = (error: PushRefusal): PushTrouble =>
  // The pages say nothing that could not be read.
  error === "unreadable" ? "away" : error;

const outcomeOf = (answer: FollowsAnswer): FollowsOutcome =>
  "follows" in answer ? { ok: true, follows: answer.follows } : { ok: false, why: troubleOf(answer.error) };

const askKey = () => call<PushKeyAnswer>("key");

/** Asks an endpoint; a site that cannot be reached, or says something else, counts as away. */
async function call<Answer>(name: string, body?: unknown): Promise<Answer | { error: PushRefusal }> {
  try {
    const init = body === undefined ? {} : { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body) };
    const answer = await fetch(`/push/${name}`, { ...init, signal: AbortSignal.timeout(WITHIN_MS) });
    const said: unknown = await answer.json();
    if (typeof said === "object" && said !== null && (answer.ok || "error" in said)) return said as Answer;
  } catch {
    // Not reached, or no JSON: the same to whoever asks.
  }
  return { error: "away" };
}

const JSON_TYPE = { "Content-Type": "application/json" };
