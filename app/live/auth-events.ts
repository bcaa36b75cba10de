// Syncs sign-in changes across all open pages of this browser: logging out in one logs the others out, and a new name or avatar
// appears in all.
import { useEffect, useState } from "react";
import { useFetchers, useNavigation, useRevalidator } from "react-router";
import { AUTH_CHANNEL, type AuthEvent } from "#shared/auth-event.ts";
import { OFFLINE_CACHE, SEEN_PATH, TOLD_ITEM } from "#shared/push.ts";

type Told = { event: AuthEvent; user_id: string | null };

/** Local storage: the last member known to this browser's pages. */
const LAST = "spawnpoint-member";
/** Session storage: an event to announce once the next page has loaded. */
const NEXT = "spawnpoint-auth-next";

/** Notifies the other pages, and this one by a window event of the same name. False: this page stays as it is (`KeptPage`). */
export function announce(event: AuthEvent, userId: string | null = null): boolean {
  const told: Told = { event, user_id: userId };
  const channel = openChannel();
  channel?.postMessage(told);
  channel?.close();
  return announceHere(told);
}

/** Passes on the session state that the live stream reported. */
export function tellSession(signedIn: boolean): void {
  if (!signedIn) endHere?.();
}

/** Runs when the browser has no session any more. */
let endHere: (() => void) | null = null;

/** Announces the event after the next page load, if a member is logged in there: for a form that is about to leave this page. */
export function announceOnNextPage(event: AuthEvent): void {
  keep(() => sessionStorage.setItem(NEXT, event));
}

/** Keeps this page in sync with the others; `userId` is the member that the page was rendered for, undefined if unknown. */
export function useAuthEvents(userId: string | null | undefined): void {
  const { revalidate } = useRevalidator();
  /** Member whose session has ended, as the stream or another page reported. */
  const [ended, setEnded] = useState<string | null>(null);
  const isLoggingOut = [useNavigation(), ...useFetchers()].some(({ formAction }) => formAction?.endsWith("/logout"));

  // Loads a new document, so nothing of the former member stays. The end may arrive before the answer to the logout form, which
  // redirects by itself.
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

  // The live stream reports whether the browser still has a session: it may have been ended elsewhere or have expired.
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
 * Removes what the next person at this browser may not see: the servers on the offline page because this member viewed them, and
 * those that buttons show as followed.
 */
function forgetMember(): void {
  keep(() => localStorage.removeItem(TOLD_ITEM));
  // The browser fires this event only in other pages.
  window.dispatchEvent(new StorageEvent("storage", { key: TOLD_ITEM }));
  if (!("caches" in window)) return;
  void caches
    .open(OFFLINE_CACHE)
    .then((cache) => cache.delete(SEEN_PATH))
    .catch(() => {});
}

/** Runs storage access; null where storage is blocked, and pages then don't sync. */
function keep<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
