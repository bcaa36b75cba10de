// One request with a time limit: the part that every call of the client shares.

export type Fetch = typeof globalThis.fetch;

/** `signal` gives the call up, `timeout` does so after so many milliseconds; both may be given. */
export type CallOptions = { signal?: AbortSignal | undefined; timeout?: number | undefined };

/** The signal of a call, and what ends its timer. */
export function limit({ signal, timeout }: CallOptions): { signal: AbortSignal | null; end: () => void } {
  if (!timeout) return { signal: signal ?? null, end: () => {} };
  const controller = new AbortController();
  const giveUp = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(new DOMException("The time was up.", "TimeoutError")), timeout);
  if (signal?.aborted) giveUp();
  signal?.addEventListener("abort", giveUp);
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    },
  };
}

/** The media type of an answer, without its parameters. */
export const typeOf = (response: Response): string =>
  (response.headers.get("Content-Type") ?? "text/plain").split(";", 1)[0]?.trim().toLowerCase() ?? "";
