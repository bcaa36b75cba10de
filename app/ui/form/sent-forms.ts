// Keeps pages whose form or link got no answer: the router would replace them with its error page and lose the input.
import { type DataStrategyResult, data, type MiddlewareFunction, type NavigateFunction } from "react-router";
import type { Failed, Failure } from "./no-answer.tsx";
import { stay } from "./stays.ts";
import { isForeign, isRefusal, readUnanswered } from "./unanswered.ts";
import { begin, end } from "./under-way.ts";

/** Results of a request by route. */
export type Results = Record<string, DataStrategyResult>;

type Sender = {
  form: HTMLFormElement;
  /** Sent by a fetcher: the page stays. */
  fetcher: boolean;
  /** Target of the form, without the query. */
  path: string;
  /** Only fetchers get `refused`. */
  tell: (failure: Failure) => void;
};

let sender: Sender | null = null;
/** An action has redirected, and its target is loaded next. */
let sentOn = false;
let page: { navigate: NavigateFunction; address: string } | null = null;

/** Registers a form before sending; only it gets the outcome. */
export function aboutToSend(next: Sender): void {
  sender = next;
}

/** Sets the current page, and how to stay on it. */
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

/** Target of a link that could not be loaded; null: none. */
export const lostPageStore = createStore<string>();

/** A failed form whose page was left; null: none. `address`: of its page. */
export const leftFormStore = createStore<{ failed: Failed; failure: Failure; address: string }>();

/** Lets the current page change the results of a request. */
type Keeper = (request: Request, results: Results) => Results;

let keeper: Keeper | null = null;

/** Sets the keeper; null: results are used unchanged. */
export const keepBy = (next: Keeper | null): void => {
  keeper = next;
};

/** Client middleware of the root route. */
export const keepPages: MiddlewareFunction<Results> = async ({ request }, proceed) => {
  const next = () => proceed().then((results) => (keeper ? keeper(request, results) : results));
  if (request.method === "GET" || request.method === "HEAD") return afterLoading(request, next);
  const from = sender?.path === new URL(request.url).pathname ? sender : null;
  sender = null;
  // A fetcher's request continues when its page is left.
  if (from && !from.fetcher) begin(request, from.form);
  const results = await next();
  // The reader has left or sent it again, and waits for another answer.
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
  if (from && !from.fetcher && page) stay(page.navigate);
  // An answer without data; its status prevents reloading.
  return { [answer[0]]: { type: "data", result: data(undefined, { status: 503 }) } };
};

/** Returns whether a form is done and leads to no other page, such as a new entry, a login or a confirmation of identity. */
function isDone({ type, result }: Results[string]): boolean {
  if (!(result instanceof Response)) return type === "data" && !isRefusal(result);
  const { pathname, search } = new URL(result.headers.get("Location") ?? "", location.href);
  return pathname + search === location.pathname + location.search;
}

/** The form's navigation ends when the link's begins; with back and forward that is in the browser's next turn. */
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
    // Reloading the current page failed: it stays as it is.
    if (!readUnanswered(failed.result)) return results;
    return Object.fromEntries(Object.entries(results).filter(([, { type }]) => type === "data"));
  }
  if (!isForeign(failed.result)) return results;
  // Back and forward have already changed the address, and a redirect is the form's outcome.
  if (afterAction) location.assign(href);
  else if (pathname + search === location.pathname + location.search) location.reload();
  else {
    lostPageStore.set(pathname + search);
    stay(page.navigate);
  }
  return results;
}

/** Returns whether the form has fields for input. */
export const hasFields = (form: HTMLFormElement): boolean =>
  form.querySelector("input:not([type=hidden], [hidden], :disabled, [readonly]), textarea, select") !== null;
