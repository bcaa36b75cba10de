// Saves the rows on the server while they are typed, so that a reload or a closed window loses nothing.
import { useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import type { PasteAnswer } from "./panel.tsx";

const AFTER_MS = 500;
const AGAIN_MS = 4_000;

/** Returns a function to call with each changed field. Rows without an answer are sent again. */
export function useKept(action: string): (field: Element) => void {
  const fetcher = useFetcher<PasteAnswer>();
  const changed = useRef(new Set<HTMLElement>());
  const sent = useRef(new Set<HTMLElement>());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  function send() {
    if (fetcher.state !== "idle") return;
    const rows = [...changed.current].filter((row) => row.isConnected);
    changed.current.clear();
    if (rows.length === 0) return;
    const body = new FormData();
    body.set("intent", "keep");
    for (const row of rows)
      for (const field of row.querySelectorAll<HTMLInputElement | HTMLSelectElement>("input[name], select[name]"))
        if (!(field instanceof HTMLInputElement && field.type === "checkbox") || field.checked)
          body.append(field.name, field.value);
    sent.current = new Set(rows);
    void fetcher.submit(body, { method: "post", action });
  }
  const latest = useRef(send);
  latest.current = send;
  const later = (ms: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(), ms);
  };

  useEffect(() => {
    if (fetcher.state !== "idle") return;
    const lost = sent.current.size > 0 && !fetcher.data?.done;
    if (lost) for (const row of sent.current) changed.current.add(row);
    sent.current.clear();
    if (changed.current.size === 0) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(), lost ? AGAIN_MS : AFTER_MS);
  }, [fetcher.state, fetcher.data]);
  useEffect(() => () => clearTimeout(timer.current), []);

  return (field) => {
    const row = field.closest<HTMLElement>("[data-line]");
    if (!row) return;
    changed.current.add(row);
    later(AFTER_MS);
  };
}
