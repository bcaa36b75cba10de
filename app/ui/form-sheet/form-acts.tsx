// Buttons of a long form, always in reach: a bar at the bottom of the screen while the form is longer. Shows whether there are
// unsaved changes.
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { m } from "../../paraglide/messages.js";
import { ButtonLink } from "../button/button.tsx";
import css from "./form-acts.module.css";

type Props = {
  /** Submit button. */
  children: ReactNode;
  /** Target of "Cancel"; without it the page has its own link. */
  cancel?: string;
  /** Answer to a save, a new object each time. */
  saved?: unknown;
  /** Whether the form differs from what is stored, for any reason. */
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

/** Returns whether the form has changed since it was rendered or last saved. */
function useChanged(within: RefObject<HTMLElement | null>, saved: unknown): boolean {
  const [changed, setChanged] = useState(false);
  const stored = useRef<Written | null>(null);
  const sent = useRef<Written | null>(null);

  useEffect(() => {
    const form = within.current?.closest("form");
    if (!form) return;
    stored.current ??= writtenIn(form);
    const look = () => setChanged(differs(form, stored.current));
    const send = () => {
      sent.current = writtenIn(form);
    };
    // Buttons add and remove rows.
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

  // Input typed during a save is unsaved.
  useEffect(() => {
    const form = within.current?.closest("form");
    if (!saved || !form) return;
    stored.current = sent.current ?? stored.current;
    setChanged(differs(form, stored.current));
  }, [within, saved]);

  return changed;
}

/** Returns whether the form differs. Typed-once fields don't if empty (recreated by a save) or as sent. */
function differs(form: HTMLFormElement, stored: Written | null): boolean {
  const now = writtenIn(form);
  return now.shown !== stored?.shown || (now.once !== NOTHING && now.once !== stored.once);
}

/** `once`: values of fields that never show stored values, such as passwords; empty ones are left out. */
type Written = { shown: string; once: string };
const NOTHING = "[]";

/**
 * Lists the form's input for comparison. Skips hidden fields, except one that holds the choice of a field that script uses in place
 * of a select.
 */
function writtenIn(form: HTMLFormElement): Written {
  const fields = [...form.elements].flatMap((field) => {
    if (!("name" in field) || field.name === "") return [];
    const once = field.closest("[data-typed-once]") !== null;
    if (field instanceof HTMLInputElement && (field.type !== "hidden" || field.dataset.choice !== undefined)) {
      const said = field.type === "checkbox" || field.type === "radio" ? field.checked : field.value;
      return [{ once, said, name: field.name }];
    }
    if (field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement)
      return [{ once, said: field.value, name: field.name }];
    return [];
  });
  return {
    shown: JSON.stringify(fields.filter(({ once }) => !once)),
    once: JSON.stringify(fields.filter(({ once, said }) => once && said !== "" && said !== false)),
  };
}

/** Keeps the bar above an on-screen keyboard, and the focused field above the bar. */
function useKeyboard(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const seen = window.visualViewport;
    if (!seen) return;
    const root = document.documentElement;
    const measure = () => {
      // After zooming, less is visible for another reason.
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
