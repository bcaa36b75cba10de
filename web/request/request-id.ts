// A name for each request, from the answer's header to every line that is logged on its way.
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from "node:http";

const HEADER = "x-request-id";
/** What a proxy's own name for a request may look like: nothing that could end a line or fill a log. */
const SAFE = /^[\w.:-]{8,64}$/;

const current = new AsyncLocalStorage<string>();

/** The id of the request that is being answered; undefined outside of one. */
export const currentRequestId = (): string | undefined => current.getStore();

/** What a log line says of the request that it belongs to. */
export function requestFields(): { request_id?: string } {
  const id = current.getStore();
  return id === undefined ? {} : { request_id: id };
}

/** Runs `work` as if it belonged to a request of this id. */
export const asRequest = <T>(id: string, work: () => T): T => current.run(id, work);

/**
 * Runs `work` as the answering of a request. A proxy's X-Request-Id is kept where a proxy is trusted and the id has a safe
 * shape; every other request gets a new one (48 random bits, short enough to be read out on the telephone).
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

/** An answer that carries its request's id, whoever writes its head. For `createServer({ ServerResponse: … })`. */
export class NamedResponse extends ServerResponse {
  requestId: string | undefined;

  // Written in one go: setHeader before writeHead would make Node take its slow way for every page.
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
