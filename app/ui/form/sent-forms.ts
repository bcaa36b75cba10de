// Keeps pages whose form or link got no answer: the router would put its error page in their place, with all that was typed.
import { data, type MiddlewareFunction, type NavigateFunction } from "react-router";
import type { Failed, Failure } from "./no-answer.tsx";
import { isForeign, isRefusal, readUnanswered } from "./unanswered.ts";
import { begin, end } from "./under-way.ts";

/** What each route of a request came to. */
export type Results = Record<string, { type: "data" | "error"; result: unknown }>;

type Sender = {
  form: HTMLFormElement;
  /** Whether it is a fetcher's: its page does not move. */
  fetcher: boolean;
  /** The address that it posts to, without its search. */
  path: string;
  /** `refused` is told of fetchers alone. */
  tell: (failure: Failure) => void;
};

let sender: Sender | null = null;
/** An action has answered with another address, which is asked for next. */
let sentOn = false;
let page: { navigate: NavigateFunction; address: string } | null = null;

/** A form is about to be sent; what becomes of it is told to it alone. */
export function aboutToSend(next: Sender): void {
  sender = next;
}

/** The page on the screen, and the way to stay on it. */
export function isShown(navigate: NavigateFunction, address: string): void {
  page = { navigate, address };
}

/** For `useSyncExternalStore`. */
function createStore<Value>() {
  const listeners = new Set<() => void>();
  let value: Value | null = null;
  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: () => value,
    set(next: Value | null): void {
      if (value === next) return;
      value = next;
      for (const listener of listeners) listener();
    },
  };
}

/** The address that a link led to and that could not be loaded; null: none. */
export const lostPageStore = createStore<string>();

/** A form that was not done after its page was left; null: none. `address`: where it stands. */
export const leftFormStore = createStore<{ failed: Failed; failure: Failure; address: string }>();

/** What the page on the screen makes of the results of a request. */
type Keeper = (request: Request, results: Results) => Results;

let keeper: Keeper | null = null;

/** From now on this one; null: they are taken as they are. */
export const keepBy = (next: Keeper | null): void => {
  keeper = next;
};

/** The client middleware of the root route. */
export const keepPages: MiddlewareFunction<Results> = async ({ request }, proceed) => {
  const next = () => proceed().then((results) => (keeper ? keeper(request, results) : results));
  if (request.method === "GET" || request.method === "HEAD") return afterLoading(request, next);
  const from = sender?.path === new URL(request.url).pathname ? sender : null;
  sender = null;
  // A fetcher's request goes on when its page is left.
  if (from && !from.fetcher) begin(request, from.form);
  const results = await next();
  // Whoever has gone on, or has sent it once more, waits for another answer.
  if (request.signal.aborted) {
    end(request, false);
    return results;
  }
  const [answer] = Object.entries(results);
  sentOn = answer !== undefined && answer[1].result instanceof Response;
  if (end(request, answer !== undefined && isDone(answer[1]))) {
    sentOn = true;
    await untilLeft(request);
    return results;
  }
  if (from?.fetcher && answer && isRefusal(answer[1].result)) from.tell("refused");
  if (answer?.[1].type !== "error" || sentOn) return results;
  const failure = readUnanswered(answer[1].result);
  if (!failure) return results;
  from?.tell(failure);
  if (from && !from.fetcher) stay();
  // An answer without data; its status says that nothing needs to be read anew.
  return { [answer[0]]: { type: "data", result: data(undefined, { status: 503 }) } };
};

/**
 * Whether what was sent is done: neither refused nor put off until somebody has shown who they are, and no other document is to
 * be loaded, as after signing in.
 */
function isDone({ type, result }: Results[string]): boolean {
  if (!(result instanceof Response)) return type === "data" && !isRefusal(result);
  const to = new URL(result.headers.get("Location") ?? "", location.href);
  return !result.headers.has("X-Remix-Reload-Document") && !to.searchParams.has("next");
}

/** The navigation of a form ends when the one to the link begins; with back and forward that is the browser's next turn. */
function untilLeft({ signal }: Request): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function afterLoading(request: Request, next: () => Promise<Results>): Promise<Results> {
  const afterAction = sentOn;
  sentOn = false;
  const results = await next();
  if (request.signal.aborted) return results;
  const failed = Object.values(results).find(({ type, result }) => type === "error" && !(result instanceof Response));
  if (!failed || !page) return results;
  const { pathname, search, href } = new URL(request.url);
  if (pathname + search === page.address) {
    // The page that is on the screen was to be read anew: it stays as it is.
    if (!readUnanswered(failed.result)) return results;
    return Object.fromEntries(Object.entries(results).filter(([, { type }]) => type === "data"));
  }
  if (!isForeign(failed.result)) return results;
  // Back and forward have changed the address already, and what an action led to is what became of the form.
  if (afterAction) location.assign(href);
  else if (pathname + search === location.pathname + location.search) location.reload();
  else {
    lostPageStore.set(pathname + search);
    stay();
  }
  return results;
}

/** Ends the navigation under way where it began, without asking the site for anything. */
function stay(): void {
  const { pathname, search, hash } = location;
  const there = { replace: true, preventScrollReset: true, defaultShouldRevalidate: false };
  void page?.navigate({ pathname, search, hash }, there);
}

/** Whether somebody could have typed or chosen something in it. */
export const hasFields = (form: HTMLFormElement): boolean =>
  form.querySelector("input:not([type=hidden], [hidden], :disabled, [readonly]), textarea, select") !== null;
