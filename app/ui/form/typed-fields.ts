// What somebody has typed into the forms of the page on the screen, as the browser knows it.

const FIELDS = "main form[method=post] :is(input:not([type=hidden], [hidden]), textarea, select)";

/** Whether there is a form that something can be typed into, or chosen in. */
export const hasFormFields = (): boolean => document.querySelector(FIELDS) !== null;

/** Whether something stands on the page that somebody typed and has not saved. */
export const isWriting = (): boolean =>
  document.querySelector("main form [data-state=unsaved]") !== null ||
  [...document.querySelectorAll(FIELDS)].some(isTyped);

function isTyped(field: Element): boolean {
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  // A password may be the browser's own.
  return field instanceof HTMLInputElement && field.type !== "password" && field.value !== field.defaultValue;
}
