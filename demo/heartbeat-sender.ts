/** Sends heartbeats of a mock game server to the site, as a game machine with a token does. */

export type HeartbeatReport = { players: number; maxPlayers: number; version: string };

/**
 * Sends a report to the site at `url` at once and then every `everyMs`, until stopped. Retries at the next turn if the site is
 * unavailable or refuses; `onSent` gets the HTTP status, or null without an answer. `stop` aborts a running request.
 */
export function startHeartbeat(options: {
  url: string;
  token: string;
  everyMs: number;
  report: () => HeartbeatReport;
  onSent?: (status: number | null) => void;
}): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const endpoint = new URL("/api/v1/heartbeat", options.url);

  const send = async (): Promise<void> => {
    const report = options.report();
    let status: number | null = null;
    try {
      const response = await fetch(endpoint, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${options.token}` },
        body: JSON.stringify({ players: report.players, max_players: report.maxPlayers, version: report.version }),
        redirect: "error",
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(5000)]),
      });
      await response.body?.cancel();
      status = response.status;
    } catch {
      // No answer: passed to onSent, and retried at the next turn.
    }
    if (!stopped.signal.aborted) options.onSent?.(status);
  };

  let underWay: Promise<void> | null = null;
  const sendUnlessBusy = (): void => {
    underWay ??= send().finally(() => {
      underWay = null;
    });
  };
  sendUnlessBusy();
  const timer = setInterval(sendUnlessBusy, options.everyMs);

  return {
    async stop() {
      clearInterval(timer);
      stopped.abort();
      await underWay;
    },
  };
}
