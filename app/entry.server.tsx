// Renders a page completely before sending it: a finished page can be hashed, compressed and cached.
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { ReactElement } from "react";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { isDatabaseAway } from "#db/database-away.ts";
import { appContext, askerContext, failureContext, mapContext, nonceContext, refusalContext } from "#web/context.ts";
import { renderTurn } from "#web/pages/render-turns.ts";
import { currentLanguage } from "#web/request/language.ts";
import { currentRequestId } from "#web/request/request-id.ts";
import { NonceContext } from "./nonce.ts";
import { overwriteGetLocale } from "./paraglide/runtime.js";
import { RequestIdContext } from "./request-id.ts";
import { StillContext } from "./still.ts";

const RENDER_LIMIT_MS = 5_000;

// Reads the locale from the address alone, however many requests run at the same time.
overwriteGetLocale(currentLanguage);

/**
 * Called for every failure before an error page is rendered. React Router's own errors (such as a POST to a page without an action)
 * carry a text with address and query: this removes it. Logs our own failures; a missing database is answered as everywhere else.
 */
export const handleError: HandleErrorFunction = (error, { context, request }) => {
  if (isRouteErrorResponse(error)) error.data = null;
  else if (isDatabaseAway(error)) context.get(failureContext).error = error;
  else if (!request.signal.aborted) {
    context.get(appContext).log.error({ err: error, path: new URL(request.url).pathname }, "a page failed");
  }
};

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const nonce = context.get(nonceContext);
  const tree = (
    <NonceContext value={nonce}>
      <RequestIdContext value={currentRequestId()}>
        <StillContext value={isStill(status, request.url, context)}>
          <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
        </StillContext>
      </RequestIdContext>
    </NonceContext>
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  await renderTurn(context.get(askerContext));
  return new Response(await renderWhole(tree, nonce), { status, headers });
}

/**
 * Refusals are shown under an address that isn't their own, so scripts must not take them over; a 404 has nothing that moves, and
 * some pages declare themselves static.
 */
function isStill(status: number, url: string, context: RouterContextProvider): boolean {
  if (status === 404 || context.get(refusalContext) !== null) return true;
  return context.get(mapContext).find(new URL(url).pathname)?.facts.still === true;
}

/** Renders the whole page. Rejects with the first failure, or after five seconds. */
async function renderWhole(tree: ReactElement, nonce: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { pipe, abort } = renderToPipeableStream(tree, {
    nonce,
    // All parts in their places, none sent later for a script to move.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onAllReady: () => resolve(text(pipe(new PassThrough()))),
    onError: reject,
  });
  const limit = setTimeout(() => abort(new Error(`rendering took longer than ${RENDER_LIMIT_MS} ms`)), RENDER_LIMIT_MS);
  return promise.finally(() => clearTimeout(limit));
}
