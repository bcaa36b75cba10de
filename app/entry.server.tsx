// Renders a page to its last byte: finished bytes can be hashed, compressed and kept, half a page cannot.
import { Writable } from "node:stream";
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
import {
  appContext,
  askerContext,
  failureContext,
  mapContext,
  memberContext,
  nonceContext,
  refusalContext,
} from "#web/context.ts";
import { renderTurn } from "#web/pages/render-turns.ts";
import { currentLanguage } from "#web/request/language.ts";
import { currentRequestId } from "#web/request/request-id.ts";
import { NonceContext } from "./nonce.ts";
import { overwriteGetLocale } from "./paraglide/runtime.js";
import { readHandoff, renderAtOnce } from "./render-at-once.ts";
import { RequestIdContext } from "./request-id.ts";
import { scriptsLater } from "./scripts-later.ts";
import { StillContext } from "./still.ts";

const RENDER_LIMIT_MS = 5_000;

// The address says it, and nothing else; however many requests are answered at the same time.
overwriteGetLocale(currentLanguage);

/**
 * Told of every failure before a page is made of it. React Router's own answers (a POST to a page that takes none) carry
 * their text, with address and query, into the page: it is taken out here. Failures of ours are logged; one by
 * the database's absence is none of this page, and is answered as everywhere else.
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
  const member = context.get(memberContext);
  const read = await readHandoff(routerContext);
  const tree = (
    <NonceContext value={nonce}>
      <RequestIdContext value={currentRequestId()}>
        <StillContext value={isStill(status, request.url, context)}>
          <ServerRouter context={read} url={request.url} nonce={nonce} />
        </StillContext>
      </RequestIdContext>
    </NonceContext>
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  await renderTurn(context.get(askerContext));
  const html = renderAtOnce(tree) ?? (await renderWaiting(tree, nonce));
  // Members come for what takes script, and their browsers have it.
  const page = member ? html : scriptsLater(html);
  return new Response(page, { status, headers });
}

/**
 * Refusals stand at an address that is none of theirs, so no script may take them over; what is not there has nothing that moves,
 * and some pages say of themselves that they have not.
 */
function isStill(status: number, url: string, context: RouterContextProvider): boolean {
  if (status === 404 || context.get(refusalContext) !== null) return true;
  return context.get(mapContext).find(new URL(url).pathname)?.facts.still === true;
}

/** The same page where something has to be waited for, such as a part whose code is loaded at its first use. */
function renderWaiting(tree: ReactElement, nonce: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let failed: unknown = null;
    const page = new Writable({
      write(chunk, _encoding, done) {
        chunks.push(chunk);
        done();
      },
      final(done) {
        clearTimeout(limit);
        done();
        if (failed) return reject(failed);
        resolve(Buffer.concat(chunks).toString());
      },
    });
    const { pipe, abort } = renderToPipeableStream(tree, {
      nonce,
      // Everything is ready when the first byte leaves, so nothing needs to be sent late by an inline script.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => pipe(page),
      onShellError: (error) => {
        clearTimeout(limit);
        reject(error);
      },
      onError: (error) => {
        failed = error;
      },
    });
    const limit = setTimeout(
      () => abort(new Error(`rendering took longer than ${RENDER_LIMIT_MS} ms`)),
      RENDER_LIMIT_MS,
    );
  });
}
