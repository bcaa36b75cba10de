// Web push in the browser: requests permission, subscribes, and sends what this browser follows to the site. Loaded on the first
// press.
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
 * Whether this browser supports push. `needs home screen`: an iPhone or iPad, where only a site on the home screen can. `refused`:
 * permission denied; only the browser's settings undo that. `no`: no web push, or not at this address (it needs https).
 */
export type PushSupport = "yes" | "needs home screen" | "no" | "refused";

/**
 * Why a request failed. `refused`: permission denied. `dismissed`: prompt closed without an answer; may be shown again. `no push
 * service`: the vendor's service is unreachable or turned off. `gone`: this browser isn't subscribed, or the site has no record of
 * it. `away`: the site is unreachable; nothing changed as far as is known.
 */
export type PushTrouble = Exclude<PushRefusal, "unreadable"> | "refused" | "dismissed" | "no push service" | "gone";

/** `follows`: everything this browser follows after the change. */
export type FollowsOutcome = { ok: true; follows: ShownFollow[] } | { ok: false; why: PushTrouble };

const WITHIN_MS = 10_000;
/** Longest wait for the worker; with full storage it never becomes ready. */
const READY_WITHIN_MS = 10_000;

export function pushSupport(): PushSupport {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    // Only Apple's browsers have this property, and only on phones and tablets can it change.
    const { standalone } = navigator as Navigator & { standalone?: boolean };
    return standalone === false && navigator.maxTouchPoints > 0 && isSecureContext ? "needs home screen" : "no";
  }
  return Notification.permission === "denied" ? "refused" : "yes";
}

/**
 * Requests permission, registers the worker and subscribes; reuses what exists. Call it directly in the handler of a press:
 * browsers don't prompt otherwise.
 */
export async function subscribe(): Promise<{ ok: true } | { ok: false; why: PushTrouble }> {
  const support = pushSupport();
  if (support !== "yes") return { ok: false, why: support === "refused" ? "refused" : "no push service" };
  // Comes before any await: the press counts only for a moment.
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
    // Subscribed with a key that the site no longer has: nothing would ever arrive.
    await there?.unsubscribe();
    await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: answer.key });
    return { ok: true };
  } catch {
    return { ok: false, why: Notification.permission === "denied" ? "refused" : "no push service" };
  }
}

/** Adds a follow to this browser, in the page's language. */
export async function follow(wanted: WantedFollow): Promise<FollowsOutcome> {
  const subscription = await currentSubscription();
  if (!subscription) return { ok: false, why: "gone" };
  const locale = document.documentElement.lang === "de" ? "de" : "en";
  const outcome = outcomeOf(await call<FollowsAnswer>("follow", { subscription, locale, follow: wanted }));
  if (outcome.ok) await keepCredential(subscription);
  return outcome;
}

/** Ends one follow of this browser, or all: then it also unsubscribes, and the site deletes its data. */
export async function unfollow(which: string | "all"): Promise<FollowsOutcome> {
  const subscription = await currentSubscription();
  if (!subscription) return { ok: true, follows: [] };
  const wanted = which === "all" ? { all: true } : { follow_id: which };
  const asked = call<FollowsAnswer>("unfollow", { ...credentialOf(subscription), ...wanted });
  if (which !== "all") return outcomeOf(await asked);
  await asked;
  // Unsubscribes whatever the site answered: nothing arrives any more, and it deletes targets that can't be reached.
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
 * Returns what this browser follows; also shows the site that it is active. Where it isn't subscribed, checks whether it could:
 * nobody should grant a permission that the site can't use now.
 */
export async function follows(): Promise<FollowsOutcome> {
  const subscription = await currentSubscription();
  if (!subscription) {
    const answer = pushSupport() === "yes" ? await askKey() : null;
    return answer && "error" in answer ? { ok: false, why: troubleOf(answer.error) } : { ok: true, follows: [] };
  }
  const before = await keptCredential();
  // The browser renewed the subscription, and the worker couldn't report it.
  if (before && before.endpoint !== subscription.endpoint) {
    const renewed = outcomeOf(await call<FollowsAnswer>("renew", { old: before, subscription }));
    if (renewed.ok) await keepCredential(subscription);
    if (renewed.ok || renewed.why !== "not_found") return renewed;
  }
  const outcome = outcomeOf(await call<FollowsAnswer>("follows", credentialOf(subscription)));
  // The site has removed it, as after a logout here: the browser keeps its subscription, and the next press registers it again.
  return !outcome.ok && outcome.why === "not_found" ? { ok: true, follows: [] } : outcome;
}

/** Makes the site send a test notification to this browser; limited to one a minute. */
export async function sendTest(): Promise<FollowsOutcome> {
  const subscription = await currentSubscription();
  if (!subscription) return { ok: false, why: "gone" };
  return outcomeOf(await call<FollowsAnswer>("test", credentialOf(subscription)));
}

/** Returns this browser's subscription in the site's format; null if there is none or permission was withdrawn. */
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

/** Stores the credential of this browser for a later renewal: the old subscription isn't available then. */
async function keepCredential(subscription: SentSubscription): Promise<void> {
  const cache = await caches.open(OFFLINE_CACHE).catch(() => null);
  // Not Response.json: iOS 16.4 has push but not that function.
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

/** Returns the running worker; null if it didn't start in time. */
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
  // The pages never send anything unreadable.
  error === "unreadable" ? "away" : error;

const outcomeOf = (answer: FollowsAnswer): FollowsOutcome =>
  "follows" in answer ? { ok: true, follows: answer.follows } : { ok: false, why: troubleOf(answer.error) };

const askKey = () => call<PushKeyAnswer>("key");

/** Calls an endpoint; an unreachable site or an unexpected answer counts as `away`. */
async function call<Answer>(name: string, body?: unknown): Promise<Answer | { error: PushRefusal }> {
  try {
    const init = body === undefined ? {} : { method: "POST", headers: JSON_TYPE, body: JSON.stringify(body) };
    const answer = await fetch(`/push/${name}`, { ...init, signal: AbortSignal.timeout(WITHIN_MS) });
    const said: unknown = await answer.json();
    if (typeof said === "object" && said !== null && (answer.ok || "error" in said)) return said as Answer;
  } catch {
    // Unreachable or no JSON: the same for the caller.
  }
  return { error: "away" };
}

const JSON_TYPE = { "Content-Type": "application/json" };
