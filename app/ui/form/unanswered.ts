// What a form is told when it was sent and no answer of its page came back: what happened, as far as the browser can know.
import { isRouteErrorResponse } from "react-router";

/**
 * `lost`: the connection ended first, or what came back was not ours to read. `silent`: something between us answered in the
 * site's place (a proxy's 502). `database`, `away`: the site says that it cannot do it now. `often`: too much in a short
 * time. `large`: more than it takes. `cross_site`: the browser says that it was sent from another site. `elsewhere`: the site lives
 * at another address. `broken`: a fault of ours. Only `often`, `large`, `cross_site` and `elsewhere` are known to have changed nothing.
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

/** A status, and the reason that may have come with it: the site's own refusals outside of its pages are one word. */
const ofStatus = (status: number, reason: unknown): Unanswered | null =>
  reason === "cross_site"
    ? "cross_site"
    : reason === "database"
      ? "database"
      : (OF_STATUS[status] ?? (status >= 500 ? "broken" : null));

/** What one of our own requests got. Null: an answer. */
export const readResponse = (response: Response): Unanswered | null => ofStatus(response.status, null);

/**
 * What the router holds for an error (`type: "error"` of a data strategy's result), read. Null: the page itself has answered,
 * such as a 404 or a 403 of its guard, and that answer is to be shown.
 */
export function readUnanswered(result: unknown): Unanswered | null {
  // An error that is no Response comes as `data(error, status)`; without a status nothing was answered.
  const wrapped = isWrapped(result) ? result : null;
  const error = wrapped ? wrapped.data : result;
  if (isRouteErrorResponse(error)) return ofStatus(error.status, reasonIn(error.data));
  const status = typeof wrapped?.init === "number" ? wrapped.init : wrapped?.init?.status;
  return status === undefined ? "lost" : "broken";
}

/** Whether the page's own answer says no; `result` as for `readUnanswered`. */
export function isRefusal(result: unknown): boolean {
  const init = isWrapped(result) ? result.init : null;
  return ((typeof init === "number" ? init : init?.status) ?? 200) >= 400;
}

/** Whether nothing answered, or something else than the site: a text that is no word of ours. */
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
