// Gives a page its live figures: on the server from what was read, in the browser from the stream too.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { LivePage } from "./live-page.ts";
import { createLiveStore } from "./live-store.ts";
import { followLiveStream } from "./live-stream.ts";
import { LiveStoreContext } from "./use-live.ts";

/** At most this long after the catalog changed does an open page fetch it again; spread, so that not all come at once. */
const CATALOG_SPREAD_MS = 1_000;

export function LiveProvider({ initial, children }: { initial: LivePage; children: ReactNode }) {
  const [store] = useState(() => createLiveStore(initial));
  const { revalidate } = useRevalidator();
  const fetchedFor = useRef(initial.catalog);

  useEffect(() => {
    if (initial.rendered_at !== new Date(store.renderedAt).toISOString()) store.adopt(initial);
    fetchedFor.current = initial.catalog;
  }, [initial, store]);

  useEffect(() => {
    let leave: (() => void) | null = followLiveStream(store);
    const stop = () => {
      leave?.();
      leave = null;
    };
    // A page that waits in the back-forward cache must not hold the browser's connection.
    const onShow = () => {
      leave ??= followLiveStream(store);
    };
    addEventListener("pagehide", stop);
    addEventListener("pageshow", onShow);
    return () => {
      removeEventListener("pagehide", stop);
      removeEventListener("pageshow", onShow);
      stop();
    };
  }, [store]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const unsubscribe = store.subscribe(() => {
      const { catalog } = store.position();
      if (catalog === fetchedFor.current) return;
      fetchedFor.current = catalog;
      clearTimeout(timer);
      timer = setTimeout(revalidate, Math.random() * CATALOG_SPREAD_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [store, revalidate]);

  return <LiveStoreContext value={store}>{children}</LiveStoreContext>;
}
