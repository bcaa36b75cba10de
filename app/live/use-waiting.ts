// Somebody looks at the page of a game server that is down: while they do, the site is told, and asks it more often.
import { useEffect, useState } from "react";

/** Twice within the time for which a word holds (`web/live/waiting-endpoint.ts`). */
const SAY_EVERY_MS = 8_000;

/**
 * Says again and again that somebody waits for a game server, while it is `down` and this page is in front of somebody's eyes.
 * Whoever closes the laptop, looks at another tab or leaves stops by that alone.
 * @returns whether it is asked every few seconds because of that
 */
export function useWaiting(serverId: number, down: boolean): boolean {
  const [granted, setGranted] = useState(false);

  useEffect(() => {
    if (!down) return;
    const ended = new AbortController();
    const { signal } = ended;
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function say() {
      clearTimeout(timer);
      timer = undefined;
      const looks = document.visibilityState === "visible";
      const answer = looks && (await tell(serverId, signal));
      if (signal.aborted) return;
      setGranted(answer);
      // Back from another tab it is said at once.
      if (looks) timer = setTimeout(say, SAY_EVERY_MS);
    }
    const onLook = () => {
      if (timer === undefined || document.visibilityState === "hidden") void say();
    };
    document.addEventListener("visibilitychange", onLook, { signal });
    void say();
    return () => {
      ended.abort();
      clearTimeout(timer);
      setGranted(false);
    };
  }, [serverId, down]);

  return down && granted;
}

async function tell(serverId: number, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(`/live/waiting/${serverId}`, { method: "POST", signal });
    return answer.ok && ((await answer.json()) as { waiting?: boolean }).waiting === true;
  } catch {
    return false;
  }
}
