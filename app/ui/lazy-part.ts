// Lazy part that few pages have, in its own file.
import { type ComponentType, lazy } from "react";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;

/**
 * Like React's `lazy`, which replaces the whole page with an error if the file can't be loaded: offline, or replaced by a new
 * release. Here only the part is missing, or stays as the server rendered it; retries after a second, then after twice as long each
 * time, up to a quarter of a minute.
 */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(async () => {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const part = await load().catch(() => null);
      if (part) return part;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  });
