// What happens to the sign-in, told to every open page of this browser: signing out in one signs the others out at once,
// and a changed name or avatar appears in all.
import { useEffect, useState } from "react";
import { useFetchers, useNavigation, useRevalidator } from "react-router";
import { AUTH_CHANNEL, type AuthEvent } from "#shared/auth-event.ts";
import { OFFLINE_CACHE, SEEN_PATH, TOLD_ITEM } from "#shared/push.ts";

type Told = { event: AuthEvent; user_id: string | null };

/** In local storage: who this browser's pages last knew to be signed in. */
const LAST = "spawnpoint-member";
/** In session storage: an event to tell once the next page has loaded. */
const NEXT = "spawnpoint-auth-next";

/** Tells the other pages, and this one by a window event of the channel's name. False: this one is kept as it is (`KeptPage`). */
export function announce(event: AuthEvent, userId: string | null = null): boolean {
  const told: Told = { event, user_id: userId };
  const channel = openChannel();
  channel?.postMessage(told);
  channel?.close();
  return announceHere(told);
}

/** Hands on what the live stream said of this browser's session. */
export function tellSession(signedIn: boolean): void {
  if (!signedIn) endHere?.();
}

/** What this page does when the browser has no session any more. */
let endHere: (() => void) | null = null;

/** Tells it when the next page has loaded, if somebody is signed in there: for a form that is about to leave this page. */
export function announceOnNextPage(event: AuthEvent): void {
  keep(() => sessionStorage.setItem(NEXT, event));
}

/** Keeps this page in step with the others; `userId` is whom this page was made for, undefined where that is not known. */
export function useAuthEvents(userId: string | null | undefined): void {
  const { revalidate } = useRevalidator();
  /** Whose session is over, as the stream or another page said. */
  const [ended, setEnded] = useState<string | null>(null);
  const isLoggingOut = [useNavigation(), ...useFetchers()].some(({ formAction }) => formAction?.endsWith("/logout"));

  // A whole new page: nothing that was shown to somebody else stays. The end may be heard of before the form that logs out is
  // answered; that one leads away by itself.
  useEffect(() => {
    if (ended === null) return;
    if (ended !== userId) setEnded(null);
    else if (!isLoggingOut) location.reload();
  }, [ended, isLoggingOut, userId]);

  useEffect(() => {
    const channel = openChannel();
    if (!channel) return;
    channel.onmessage = ({ data }: MessageEvent<Told>) => {
      const leave = announceHere(data);
      const out = data.event === "SIGNED_OUT";
      if (out ? userId === undefined : data.event === "SIGNED_IN" && data.user_id !== userId) location.reload();
      else if (out && leave) setEnded(userId ?? null);
      else if (data.event === "USER_UPDATED") revalidate();
    };
    return () => channel.close();
  }, [userId, revalidate]);

  // The live stream says whether the browser still has a session: it may have ended elsewhere, by an act or by age.
  useEffect(() => {
    if (!userId) return;
    endHere = () => {
      if (announce("SIGNED_OUT")) setEnded(userId);
    };
    return () => {
      endHere = null;
    };
  }, [userId]);

  useEffect(() => {
    if (userId === undefined) return;
    const before = keep(() => localStorage.getItem(LAST)) ?? "";
    const now = userId ?? "";
    if (before === now) announceHere({ event: "INITIAL_SESSION", user_id: userId });
    else {
      keep(() => localStorage.setItem(LAST, now));
      if (before !== "") forgetMember();
      announce(userId ? "SIGNED_IN" : "SIGNED_OUT", userId);
    }
    const waiting = keep(() => sessionStorage.getItem(NEXT)) as AuthEvent | null;
    if (!waiting) return;
    keep(() => sessionStorage.removeItem(NEXT));
    if (userId) announce(waiting, userId);
  }, [userId]);
}

const openChannel = () => ("BroadcastChannel" in window ? new BroadcastChannel(AUTH_CHANNEL) : null);

function announceHere(detail: Told): boolean {
  if (detail.event === "SIGNED_OUT") forgetMember();
  return window.dispatchEvent(new CustomEvent(AUTH_CHANNEL, { detail, cancelable: true }));
}

/**
 * Forgets what the next person at this browser may not see: the servers that the offline page names because this member looked
 * at them, and those that buttons show as followed.
 */
function forgetMember(): void {
  keep(() => localStorage.removeItem(TOLD_ITEM));
  // The browser says it to other pages alone.
  window.dispatchEvent(new StorageEvent("storage", { key: TOLD_ITEM }));
  if (!("caches" in window)) return;
  void caches
    .open(OFFLINE_CACHE)
    .then((cache) => cache.delete(SEEN_PATH))
    .catch(() => {});
}

/** Storage can be closed to us; then every page speaks for itself. */
function keep<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
