// Keeps what was typed into a form while its page is left by a link, for whoever comes back. It is kept in memory alone: gone with
// the document, and so after logging in or out.
import { useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";
import { twinOf } from "#shared/locale.ts";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Typed = { name: string; text: string; checked: boolean };

/** By the page and the form on it. */
const left = new Map<string, Typed[]>();

/** Belongs into a form whose fields have names of their own, and none that is controlled. `of` names it among those of its page. */
export function KeptText({ of }: { of: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const { pathname } = useLocation();
  const isSent = useRef(false);
  const { state } = useNavigation();
  // Whoever has chosen a link meanwhile goes on once it is done; where it was refused, the page is at rest again.
  useEffect(() => {
    if (state !== "loading") isSent.current = state === "submitting";
  }, [state]);

  useEffect(() => {
    const form = place.current?.closest("form");
    if (!form) return;
    const page = `${twinOf(pathname, "en")} ${of}`;
    // What a refusal shows again is stored nowhere either.
    const stored = new WeakMap<Field, string>(fieldsOf(form).map((field) => [field, stateAtFirst(field)]));
    for (const { name, text, checked } of left.get(page) ?? []) {
      const field = fieldsOf(form).find((one) => one.name === name);
      if (!field) continue;
      field.value = text;
      if (field instanceof HTMLInputElement) field.checked = checked;
    }
    left.delete(page);
    return () => {
      if (isSent.current) return;
      const typed = fieldsOf(form).filter((field) => stateOf(field) !== (stored.get(field) ?? stateAtFirst(field)));
      if (typed.length === 0) return;
      left.set(
        page,
        typed.map((field) => ({ name: field.name, text: field.value, checked: isChecked(field) })),
      );
    };
  }, [pathname, of]);
  return <span ref={place} hidden />;
}

/** Those that somebody fills in; no secrets, and no files, which no script can put back. */
function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.elements].filter(
    (field): field is Field =>
      (field instanceof HTMLInputElement && /^(?:text|email|url|search|checkbox)$/.test(field.type)) ||
      field instanceof HTMLTextAreaElement ||
      field instanceof HTMLSelectElement,
  );
}

const isChecked = (field: Field) => field instanceof HTMLInputElement && field.checked;
const stateOf = (field: Field) => `${isChecked(field)} ${field.value}`;

/** As the page was made: with nothing, or with what is stored. */
function stateAtFirst(field: Field): string {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options];
    return `false ${(options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? ""}`;
  }
  return `${field instanceof HTMLInputElement && field.defaultChecked} ${field.defaultValue}`;
}
