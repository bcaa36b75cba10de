// Collects the page's live figures: the field `live` of the loaders of all matching routes.
import { useMemo, useRef } from "react";
import { useMatches } from "react-router";
import type { LivePage } from "#shared/live/live-page.ts";

/** Returns the page's figures: the same object while its routes' data are the same. */
export function usePageFigures(): LivePage {
  const found = useMatches().flatMap(({ loaderData }) => liveOf(loaderData) ?? []);
  const last = useRef(found);
  // Few, and in route order.
  const same = found.length === last.current.length && found.every((live, n) => live === last.current[n]);
  const parts = same ? last.current : found;
  last.current = parts;
  return useMemo(() => together(parts), [parts]);
}

function liveOf(loaderData: unknown): LivePage | undefined {
  return typeof loaderData === "object" && loaderData !== null && "live" in loaderData
    ? (loaderData.live as LivePage)
    : undefined;
}

/** Merges rows and totals; the position is the innermost route's, because frames aren't always reloaded with it. */
function together(parts: LivePage[]): LivePage {
  const own = parts.at(-1);
  if (!own) throw new Error("no route of this page carries live figures");
  const games = Object.assign({}, ...parts.map(({ totals }) => totals.games));
  return {
    ...own,
    rows: parts.flatMap(({ rows }) => rows),
    asked: Object.assign({}, ...parts.map(({ asked }) => asked)),
    totals: { ...Object.assign({}, ...parts.map(({ totals }) => totals)), games },
  };
}
