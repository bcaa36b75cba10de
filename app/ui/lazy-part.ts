// A part of a page that few pages have, in a file of its own.
import { type ComponentType, lazy } from "react";

const FIRST_WAIT_MS = 1_000;

/**
 * As React's `lazy`, which puts an error in the place of the whole page where the file does not come: the line is lost, or a new
 * release has taken its place. Here the part alone is missing meanwhile, or stands as the server sent it; it is asked for again,
 * each time after twice as long.
 */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(async () => {
    for (let wait = FIRST_WAIT_MS; ; wait *= 2) {
      const part = await load().catch(() => null);
      if (part) return part;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  });
