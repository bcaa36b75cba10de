// The figures that the page in front of the reader carries: what its loaders gave as `live`, of all routes that match.
import { useMemo, useRef } from "react";
import { useMatches } from "react-router";
import type { LivePage } from "#shared/live/live-page.ts";

/** The page's figures: the same object while its routes' data are the same. */
export function usePageFigures(): LivePage {
  const found = useMatches().flatMap(({ loaderData }) => liveOf(loaderData) ?? []);
  const last = useRef(found);
  // Few, and in the order of the routes.
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

/** Their rows and totals; where they stand is what the innermost says, because frames are not always fetched anew with it. */
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
