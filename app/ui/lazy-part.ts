// A part of a page that few pages have, in a file of its own.
import { type ComponentType, lazy } from "react";
import { importPart } from "./import-part.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;

/**
 * As React's `lazy`, which puts an error in the place of the whole page where the file does not come: the line is lost, or a new
 * release has taken its place. Here the part alone is missing meanwhile, or stands as the server sent it; it is asked for again
 * after a second, then after twice as long each time, up to a quarter of a minute.
 */
export const lazyPart = <Props>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(async () => {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const part = await importPart(load).catch(() => null);
      if (part) return part;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  });
