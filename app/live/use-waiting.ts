// Reports that the page of an offline game server is being viewed; the site polls it more often meanwhile.
import { useEffect, useState } from "react";

/** Half the time for which a report holds (`web/live/waiting-endpoint.ts`). */
const SAY_EVERY_MS = 8_000;

/**
 * Reports repeatedly that a client waits for a game server, while it is `down` and this page is visible.
 * Closing the laptop, switching tabs or leaving stops the reports.
 * @returns whether the site polls it every few seconds because of that
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
      // Reports at once on return from another tab.
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
