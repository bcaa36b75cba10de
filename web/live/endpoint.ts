// Serves GET /live: finds the stream's member and handles failures of that.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Members } from "../accounts/members.ts";
import type { LiveStream } from "./stream.ts";

export const LIVE_PATH = "/live";

/** Checks whether it is GET /live. */
export const isLiveStream = ({ method, url = "/" }: IncomingMessage): boolean =>
  method === "GET" && url.split("?", 1)[0] === LIVE_PATH;

/** Makes the handler: the response is held open and written to directly. `fail` answers failures. */
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
