// Classifies missing answers to a form: what happened, as far as the browser knows.
import { isRouteErrorResponse } from "react-router";

/**
 * `lost`: the connection was lost, or the answer was unreadable. `silent`: a proxy answered instead (such as 502). `database`,
 * `away`: the site is temporarily unable. `often`: too many requests. `large`: too much data. `cross_site`: the browser says that
 * another site sent it. `elsewhere`: the site has another address. `broken`: our bug. Only `often`, `large`, `cross_site` and
 * `elsewhere` are known to have changed nothing.
 */
export type Unanswered =
  | "lost"
  | "silent"
  | "database"
  | "away"
  | "often"
  | "large"
  | "cross_site"
  | "elsewhere"
  | "broken";

const OF_STATUS: { [status: number]: Unanswered } = {
  408: "lost",
  413: "large",
  421: "elsewhere",
  429: "often",
  502: "silent",
  503: "away",
  504: "silent",
};

/** Classifies a status and its reason: the site's refusals outside of pages are one word. */
const ofStatus = (status: number, reason: unknown): Unanswered | null =>
  reason === "cross_site"
    ? "cross_site"
    : reason === "database"
      ? "database"
      : (OF_STATUS[status] ?? (status >= 500 ? "broken" : null));

/** Classifies the response to our own request. Null: an answer. */
export const readResponse = (response: Response): Unanswered | null => ofStatus(response.status, null);

/**
 * Classifies the router's error (`type: "error"` of a data strategy's result). Null: the page itself answered, such as with a 404
 * or its guard's 403, and that answer is shown.
 */
export function readUnanswered(result: unknown): Unanswered | null {
  // An error that is no Response comes as `data(error, status)`; without a status nothing answered.
  const wrapped = isWrapped(result) ? result : null;
  const error = wrapped ? wrapped.data : result;
  if (isRouteErrorResponse(error)) return ofStatus(error.status, reasonIn(error.data));
  const status = typeof wrapped?.init === "number" ? wrapped.init : wrapped?.init?.status;
  return status === undefined ? "lost" : "broken";
}

/** Returns whether the page refused; `result` as for `readUnanswered`. */
export function isRefusal(result: unknown): boolean {
  const init = isWrapped(result) ? result.init : null;
  return ((typeof init === "number" ? init : init?.status) ?? 200) >= 400;
}

/** Returns whether the site didn't answer: nothing did, or a text that isn't ours. */
export function isForeign(result: unknown): boolean {
  const error = isWrapped(result) ? result.data : result;
  if (!isRouteErrorResponse(error)) return readUnanswered(result) === "lost";
  return error.status >= 500 && typeof error.data === "string" && !/^[a-z_]{1,40}$/.test(error.data);
}

const reasonIn = (data: unknown): unknown =>
  typeof data === "object" && data !== null && "reason" in data ? data.reason : data;

type Wrapped = { type: string; data: unknown; init: ResponseInit | number | null };

const isWrapped = (value: unknown): value is Wrapped =>
  typeof value === "object" && value !== null && "type" in value && value.type === "DataWithResponseInit";
