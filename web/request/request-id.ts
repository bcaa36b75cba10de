// Gives each request an id, which its response header and all its log lines carry.
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http";

const HEADER = "x-request-id";
/** The permitted form of a proxy's request id: nothing that could end a line or fill a log. */
const SAFE = /^[\w.:-]{8,64}$/;

const current = new AsyncLocalStorage<string>();

/** The id of the request in progress; undefined outside of one. */
export const currentRequestId = (): string | undefined => current.getStore();

/** Gets the log fields that identify the current request. */
export function requestFields(): { request_id?: string } {
  const id = current.getStore();
  return id === undefined ? {} : { request_id: id };
}

/** Runs `work` under this request id. */
export const asRequest = <T>(id: string, work: () => T): T => current.run(id, work);

/**
 * Runs `work` under the request's id. A proxy's X-Request-Id is used where a proxy is trusted and the id has a safe form;
 * every other request gets a new one (48 random bits, short enough to be read out on the telephone).
 */
export function withRequestId(
  request: IncomingMessage,
  response: ServerResponse,
  trustProxy: number,
  work: () => void,
): void {
  const given = trustProxy > 0 ? request.headers[HEADER] : undefined;
  const id = typeof given === "string" && SAFE.test(given) ? given : randomUUID().slice(-12);
  if (response instanceof NamedResponse) response.requestId = id;
  current.run(id, work);
}

/** A response that carries its request's id, wherever its head is written. For `createServer({ ServerResponse: … })`. */
export class NamedResponse extends ServerResponse {
  requestId: string | undefined;

  // Written at once: setHeader before writeHead would make Node take its slow path for every page.
  override writeHead(
    status: number,
    reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): this {
    const given = typeof reason === "string" ? headers : (reason ?? headers);
    const statusText = typeof reason === "string" ? reason : undefined;
    const named = this.requestId === undefined ? given : withHeader(given, this.requestId);
    return statusText === undefined ? super.writeHead(status, named) : super.writeHead(status, statusText, named);
  }
}

function withHeader(headers: OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined, id: string) {
  return Array.isArray(headers) ? [...headers, HEADER, id] : { ...headers, [HEADER]: id };
}
