// Gives a page its live figures: on the server from what was read, in the browser from the stream too.
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { createLiveStore } from "#shared/live/live-store.ts";
import { type FollowedStream, followLiveStream } from "./live-stream.ts";
import { usePageFigures } from "./page-figures.ts";
import { LiveContext } from "./use-live.ts";

/** At most this long after the catalog changed does an open page fetch it again; spread, so that not all come at once. */
const CATALOG_SPREAD_MS = 1_000;

/** Around the frame; what the page shows is the field `live` of its routes' loaders (`livePage`). */
export function LiveProvider({ children }: { children: ReactNode }) {
  const initial = usePageFigures();
  const [store] = useState(() => createLiveStore(initial));
  const { revalidate } = useRevalidator();
  const fetches = useRef(0);

  const stream = useRef<FollowedStream | null>(null);

  useEffect(() => {
    stream.current = followLiveStream(store);
    const stop = () => {
      stream.current?.leave();
      stream.current = null;
    };
    // A page that waits in the back-forward cache must not hold the browser's connection.
    const onShow = () => {
      stream.current ??= followLiveStream(store);
    };
    // What is in front of somebody comes first where all tabs together show more than a stream tells.
    const onLook = () => {
      if (document.visibilityState === "visible") stream.current?.showAgain();
    };
    document.addEventListener("visibilitychange", onLook);
    addEventListener("pagehide", stop);
    addEventListener("pageshow", onShow);
    return () => {
      removeEventListener("pagehide", stop);
      removeEventListener("pageshow", onShow);
      document.removeEventListener("visibilitychange", onLook);
      stop();
    };
  }, [store]);

  const shown = useRef(initial);
  useEffect(() => {
    if (shown.current === initial) return;
    shown.current = initial;
    store.show(initial);
    stream.current?.showAgain();
  }, [initial, store]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function fetchWhereOld() {
      if (store.catalog() === initial.catalog) {
        fetches.current = 0;
        return;
      }
      // A process behind the same address may still have to hear of it: asked again, with growing pauses.
      const spread = CATALOG_SPREAD_MS * 2 ** Math.min(fetches.current, 4);
      timer ??= setTimeout(() => {
        timer = undefined;
        fetches.current += 1;
        void revalidate();
      }, Math.random() * spread);
    }
    fetchWhereOld();
    const unsubscribe = store.subscribe(fetchWhereOld);
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [initial, store, revalidate]);

  const figures = useMemo(() => ({ store, page: initial }), [store, initial]);
  return <LiveContext value={figures}>{children}</LiveContext>;
}
