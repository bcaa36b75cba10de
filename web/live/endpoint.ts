// GET /live: whose stream it is, and what becomes of it when that cannot be told.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Members } from "../accounts/members.ts";
import type { LiveStream } from "./stream.ts";

export const LIVE_PATH = "/live";

/** Whether a request is for it. */
export const isLiveStream = ({ method, url = "/" }: IncomingMessage): boolean =>
  method === "GET" && url.split("?", 1)[0] === LIVE_PATH;

/** Makes what answers such a request: held open, written to directly. `fail` answers what went wrong. */
export function createLiveEndpoint(
  live: LiveStream,
  members: Members,
  fail: (request: IncomingMessage, response: ServerResponse, error: unknown) => void,
) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (!members.names(request)) live.open(request, response, null);
    else
      members.find(request.headers.cookie).then(
        (member) => live.open(request, response, member),
        (error) => fail(request, response, error),
      );
  };
}
