// Sortable list: by dragging, arrow keys, or two buttons on each row, which work without script. Sends every move at once: the ids
// in their new order, as fields named `id`.
import { type DragEvent, type KeyboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useFetcher } from "react-router";
import type { FormAnswer } from "#shared/form-answer.ts";
import { m } from "../../paraglide/messages.js";
import { Form } from "../form/form.tsx";
import css from "./sortable-list.module.css";

type Item = { id: number; name: string };

/** `items`: in stored order. The page's action gets `id` fields, and `move` ("up:3") without script. */
export function SortableList({ items: stored, label }: { items: Item[]; label: string }) {
  const fetcher = useFetcher<FormAnswer>();
  const [items, setItems] = useState(stored);
  const [from, setFrom] = useState(stored);
  const [dragged, setDragged] = useState<number | null>(null);
  const [said, say] = useState("");
  const list = useRef<HTMLOListElement>(null);
  const form = useRef<HTMLFormElement>(null);
  // A new order from the server replaces the local one.
  if (from !== stored && fetcher.state === "idle") {
    setFrom(stored);
    setItems(stored);
  }

  function send(next: Item[]) {
    // The form's hidden fields are its order.
    flushSync(() => setItems(next));
    form.current?.requestSubmit();
  }
  function moved(id: number, to: number): Item[] | null {
    const at = items.findIndex((item) => item.id === id);
    const item = items[at];
    if (!item || to < 0 || to >= items.length || to === at) return null;
    const rest = items.filter((other) => other.id !== id);
    return [...rest.slice(0, to), item, ...rest.slice(to)];
  }
  function move(id: number, to: number) {
    const next = moved(id, to);
    const item = items.find((other) => other.id === id);
    if (!next || !item) return;
    send(next);
    say(m.admin_order_moved({ name: item.name, place: to + 1, places: items.length }));
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>, id: number, at: number) {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(id, to);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-handle="${id}"]`)?.focus());
  }
  function onDragOver(event: DragEvent, over: number) {
    if (dragged === null) return;
    event.preventDefault();
    const next = moved(dragged, over);
    if (next) setItems(next);
  }
  return (
    <Form failed={m.failed_order()} fetcher={fetcher} ref={form}>
      <ol ref={list} className={css.list} aria-label={label}>
        {items.map(({ id, name }, at) => (
          <li
            key={id}
            className={css.item}
            data-dragged={dragged === id || undefined}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = "move";
              event.dataTransfer.setData("text/plain", name);
              setDragged(id);
            }}
            onDragOver={(event) => onDragOver(event, at)}
            onDrop={(event) => event.preventDefault()}
            onDragEnd={() => {
              setDragged(null);
              if (items.some((item, place) => item.id !== stored[place]?.id)) send(items);
            }}
          >
            <input type="hidden" name="id" value={id} />
            <button
              type="button"
              data-handle={id}
              className={css.handle}
              aria-label={m.admin_order_handle({ name, place: at + 1, places: items.length })}
              onKeyDown={(event) => onKeyDown(event, id, at)}
            >
              <svg viewBox="0 0 12 20" aria-hidden="true">
                <path d="M3.5 4v.1M8.5 4v.1M3.5 10v.1M8.5 10v.1M3.5 16v.1M8.5 16v.1" />
              </svg>
            </button>
            <span className={css.name}>{name}</span>
            <Step id={id} way="up" name={name} off={at === 0} onMove={() => move(id, at - 1)} />
            <Step id={id} way="down" name={name} off={at === items.length - 1} onMove={() => move(id, at + 1)} />
          </li>
        ))}
      </ol>
      <p className={css.state} role="status">
        {fetcher.data?.problem ?? (said && `${said} ${fetcher.state === "idle" ? m.admin_order_saved() : ""}`)}
      </p>
    </Form>
  );
}

type StepProps = { id: number; way: "up" | "down"; name: string; off: boolean; onMove: () => void };

function Step({ id, way, name, off, onMove }: StepProps) {
  const label = way === "up" ? m.admin_move_up({ name }) : m.admin_move_down({ name });
  return (
    <button
      type="submit"
      name="move"
      value={`${way}:${id}`}
      className={css.step}
      // Not disabled, which would lose the focus after a move to the end.
      aria-disabled={off || undefined}
      aria-label={label}
      title={label}
      onClick={(event) => {
        event.preventDefault();
        onMove();
      }}
    >
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={way === "up" ? "M2.5 7.5 6 4l3.5 3.5" : "M2.5 4.5 6 8l3.5-3.5"} />
      </svg>
    </button>
  );
}
