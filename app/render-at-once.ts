// Renders a page in one go where nothing in it has to wait: half the work of React's streaming renderer, whose pieces nobody
// here needs, since a page leaves whole.
import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";
import type { EntryContext } from "react-router";

/** What React leaves in the page where something under a Suspense boundary was not there yet, or failed. */
const NOT_READY = "<!--$!-->";

/**
 * The page as text; null when a part of it has to be waited for (or fails), which only the streaming renderer can tell.
 * @throws what a component outside of all boundaries throws.
 */
export function renderAtOnce(tree: ReactElement): string | null {
  const html = renderToString(tree);
  // The streaming renderer begins a document with it, this one does not; without it browsers fall back to the ways of 1998.
  return html.includes(NOT_READY) ? null : `<!DOCTYPE html>${html}`;
}

/**
 * Reads the loaders' data, which React Router sends along as a stream of its own, so that the page can carry it without
 * waiting: its `StreamTransfer` finds each piece in this cache. Rejects when the stream fails.
 */
export async function readHandoff(context: EntryContext): Promise<EntryContext> {
  if (!context.serverHandoffStream) return context;
  const streamCache: Record<number, HandoffPiece> = {};
  const reader = context.serverHandoffStream.getReader();
  const decoder = new TextDecoder();
  for (let piece = 0; ; piece += 1) {
    const { done, value } = await reader.read();
    const result = { done, value: decoder.decode(value, { stream: true }) };
    streamCache[piece] = Object.assign(Promise.resolve(), { result });
    if (done) break;
  }
  // A stream has one reader; the renderers take this one, again and again, and never read from it.
  const read = { getReader: () => reader } as unknown as ReadableStream<Uint8Array>;
  return { ...context, renderMeta: { ...context.renderMeta, streamCache }, serverHandoffStream: read };
}

type HandoffPiece = Promise<void> & { result: { done: boolean; value: string } };
