// Keeps a form's input while its page is left by a link, for the way back. In memory only: gone with the document, and so after a
// login or logout.
import { useEffect, useRef } from "react";
import { useLocation, useNavigation } from "react-router";
import { twinOf } from "#shared/locale.ts";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Typed = { name: string; text: string; checked: boolean };

/** By page and form. */
const left = new Map<string, Typed[]>();

/** Place it in a form with unique, uncontrolled fields. `of` identifies the form on its page. */
export function KeptText({ of }: { of: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const { pathname } = useLocation();
  const isSent = useRef(false);
  const { state } = useNavigation();
  // A link chosen meanwhile is followed after the save; after a refusal the page is idle again.
  useEffect(() => {
    if (state !== "loading") isSent.current = state === "submitting";
  }, [state]);

  useEffect(() => {
    const form = place.current?.closest("form");
    if (!form) return;
    const page = `${twinOf(pathname, "en")} ${of}`;
    // Input that a refusal shows again isn't stored anywhere either.
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

/** Returns the form's input fields; no secrets, and no files, which script can't restore. */
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

/** Returns the rendered value: empty, or what is stored. */
function stateAtFirst(field: Field): string {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options];
    return `false ${(options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? ""}`;
  }
  return `${field instanceof HTMLInputElement && field.defaultChecked} ${field.defaultValue}`;
}
