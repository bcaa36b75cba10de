// Ends navigations where they began.
import type { NavigateFunction } from "react-router";

/** State of the location after that. */
export const STAYS = "stays";

/** Ends the current navigation where it began, without a request. */
export function stay(navigate: NavigateFunction): void {
  const { pathname, search, hash } = location;
  const there = { replace: true, preventScrollReset: true, defaultShouldRevalidate: false, state: STAYS };
  void navigate({ pathname, search, hash }, there);
}
