// Finds unsaved input in the forms of the current page.

const FIELDS = "main form[method=post] :is(input:not([type=hidden], [hidden]), textarea, select)";

/** Returns whether there is a form for input. */
export const hasFormFields = (): boolean => document.querySelector(FIELDS) !== null;

/** Returns whether the page has unsaved input. */
export const isWriting = (): boolean =>
  document.querySelector("main form [data-state=unsaved]") !== null ||
  [...document.querySelectorAll(FIELDS)].some(isTyped);

function isTyped(field: Element): boolean {
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  // The browser may have filled in a password.
  return field instanceof HTMLInputElement && field.type !== "password" && field.value !== field.defaultValue;
}
