// Provides a page's live figures: from the loaders on the server, also from the stream in the browser.
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { createLiveStore } from "#shared/live/live-store.ts";
import { type FollowedStream, followLiveStream } from "./live-stream.ts";
import workerUrl from "./live-worker.ts?worker&url";
import { usePageFigures } from "./page-figures.ts";
import { LiveContext } from "./use-live.ts";

/** Longest delay before an open page reloads a changed catalogue; spread, so that pages don't reload all at once. */
const CATALOG_SPREAD_MS = 1_000;

/** Wraps the frame; reads the field `live` of the routes' loaders (`livePage`). `reader`: the member's id, or a name for all visitors. */
export function LiveProvider({ reader, children }: { reader: string; children: ReactNode }) {
  const initial = usePageFigures();
  const [store] = useState(() => createLiveStore(initial));
  const { revalidate } = useRevalidator();
  const fetches = useRef(0);

  const stream = useRef<FollowedStream | null>(null);

  useEffect(() => {
    stream.current = followLiveStream(store, openWorker(reader));
    const stop = () => {
      stream.current?.leave();
      stream.current = null;
    };
    // A page in the back-forward cache must not hold the browser's connection.
    const onShow = () => {
      stream.current ??= followLiveStream(store, openWorker(reader));
    };
    // The visible tab comes first where all tabs together show more than a stream carries.
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
  }, [store, reader]);

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
      // Another process behind the same address may not have the change yet: retry with growing pauses.
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

/** Only tabs of the same reader share a worker, since others may not see the same. Null: the browser has none, or blocks it. */
function openWorker(reader: string): SharedWorker | null {
  try {
    return new SharedWorker(workerUrl, { type: "module", name: `live ${reader}` });
  } catch {
    return null;
  }
}
