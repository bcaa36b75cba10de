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
    setChanged(differs(form, stored.current));
  }, [within, saved]);

  return changed;
}

/** A field made anew by a save stands empty, and what was sent in it is stored all the same: both are no change. */
function differs(form: HTMLFormElement, stored: Written | null): boolean {
  const now = writtenIn(form);
  return now.shown !== stored?.shown || (now.once !== NOTHING && now.once !== stored.once);
}

/** `once`: what stands in fields that are never shown again what they once held, such as a password's; empty ones left out. */
type Written = { shown: string; once: string };
const NOTHING = "[]";

/**
 * What people wrote and chose, to be compared. Hidden fields are the form's own, but for one that holds a choice for a field
 * that script has put in the place of a list.
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
