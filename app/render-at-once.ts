// Renders a page in one pass where nothing in it has to wait: half the work of React's streaming renderer, whose chunks aren't
// needed, since a page is sent whole.
import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";
import type { EntryContext } from "react-router";

/** React's marker for a Suspense boundary that wasn't ready, or failed. */
const NOT_READY = "<!--$!-->";

/**
 * Returns the page as text; null if a part has to be waited for (or fails), which only the streaming renderer can handle.
 * @throws what a component outside of all boundaries throws.
 */
export function renderAtOnce(tree: ReactElement): string | null {
  const html = renderToString(tree);
  // Only the streaming renderer adds the doctype; without it browsers use quirks mode.
  return html.includes(NOT_READY) ? null : `<!DOCTYPE html>${html}`;
}

/**
 * Reads the loaders' data, which React Router sends as a stream of its own, so that the page can carry it without waiting:
 * `StreamTransfer` finds each piece in this cache. Rejects when the stream fails.
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
  // A stream has one reader; the renderers take this one repeatedly and never read from it.
  const read = { getReader: () => reader } as unknown as ReadableStream<Uint8Array>;
  return { ...context, renderMeta: { ...context.renderMeta, streamCache }, serverHandoffStream: read };
}

type HandoffPiece = Promise<void> & { result: { done: boolean; value: string } };
