// The acts of a long form, always in reach: a bar at the foot of the screen while the form is longer than it. It says whether
// something is not saved yet.
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { m } from "../../paraglide/messages.js";
import { ButtonLink } from "../button/button.tsx";
import css from "./form-acts.module.css";

type Props = {
  /** The button that sends it. */
  children: ReactNode;
  /** Where one goes who wants to save nothing; without it the page itself has a way on. */
  cancel?: string;
  /** The answer that it was saved, a new one each time. */
  saved?: unknown;
  /** Whether the form shows something else than what is stored, however it came there. */
  unsaved?: boolean;
};

export function FormActs({ children, cancel, saved, unsaved }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const changed = useChanged(bar, saved);
  useKeyboard(bar);
  const isUnsaved = unsaved || changed;
  return (
    <div ref={bar} className={css.acts}>
      {children}
      {cancel && (
        <ButtonLink to={cancel} variant="outlined">
          {m.admin_cancel()}
        </ButtonLink>
      )}
      <span className={css.state} data-state={isUnsaved ? "unsaved" : "saved"}>
        {isUnsaved ? m.admin_unsaved() : saved ? m.admin_saved() : ""}
      </span>
    </div>
  );
}

/** Whether the form says something else than when it was made, or was last saved. */
function useChanged(within: RefObject<HTMLElement | null>, saved: unknown): boolean {
  const [changed, setChanged] = useState(false);
  const stored = useRef<string | null>(null);
  const sent = useRef<string | null>(null);

  useEffect(() => {
    const form = within.current?.closest("form");
    if (!form) return;
    stored.current ??= writtenIn(form);
    const look = () => setChanged(writtenIn(form) !== stored.current);
    const send = () => {
      sent.current = writtenIn(form);
    };
    // Rows come and go by buttons.
    const rows = new MutationObserver(look);
    rows.observe(form, { childList: true, subtree: true });
    form.addEventListener("input", look);
    form.addEventListener("change", look);
    form.addEventListener("submit", send);
    return () => {
      rows.disconnect();
      form.removeEventListener("input", look);
      form.removeEventListener("change", look);
      form.removeEventListener("submit", send);
    };
  }, [within]);

  // What was typed while it was being saved is not saved.
  useEffect(() => {
    const form = within.current?.closest("form");
    if (!saved || !form) return;
    stored.current = sent.current ?? stored.current;
    setChanged(writtenIn(form) !== stored.current);
  }, [within, saved]);

  return changed;
}

/**
 * What people wrote and chose, to be compared. Hidden fields are the form's own, but for one that holds a choice for a field
 * that script has put in the place of a list.
 */
const writtenIn = (form: HTMLFormElement): string =>
  JSON.stringify(
    [...form.elements].flatMap((field) => {
      if (!("name" in field) || field.name === "") return [];
      if (field instanceof HTMLInputElement && (field.type !== "hidden" || field.dataset.choice !== undefined))
        return [[field.name, field.type === "checkbox" || field.type === "radio" ? field.checked : field.value]];
      if (field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement)
        return [[field.name, field.value]];
      return [];
    }),
  );

/** Holds the bar above a keyboard that lies over the page, and what is typed into above the bar. */
function useKeyboard(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const seen = window.visualViewport;
    if (!seen) return;
    const root = document.documentElement;
    const measure = () => {
      // Whoever has zoomed in sees less of the page for another reason.
      const covered = seen.scale > 1.01 ? 0 : root.clientHeight - seen.height - seen.offsetTop;
      root.style.setProperty("--keyboard", `${Math.max(0, Math.round(covered))}px`);
    };
    const resized = () => {
      measure();
      const typed = document.activeElement;
      if (typed && bar.current?.closest("form")?.contains(typed) && !bar.current.contains(typed))
        typed.scrollIntoView({ block: "nearest" });
    };
    measure();
    seen.addEventListener("resize", resized);
    seen.addEventListener("scroll", measure);
    return () => {
      seen.removeEventListener("resize", resized);
      seen.removeEventListener("scroll", measure);
      root.style.removeProperty("--keyboard");
    };
  }, [bar]);
}
