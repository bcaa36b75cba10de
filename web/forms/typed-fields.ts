// Selects the sent form values that a page may show again.

/** A name and a value. */
export type TypedField = [name: string, value: string];

/** Passwords, codes and other credentials: never shown. */
const SECRET = /pass|token|secret|invitation|^(?:current|codes?|uri|next)$/i;
/** The site's own fields. `website` is the trap for programs. */
const CONTROL = /_id$|^(?:id|intent|revision|lists|opened|website|seen|state|place|move|sort|page|confirm)$/;

/** Selects the fields that were typed; omits checkboxes and choices, which are quickly made again. */
function typedFields(form: Iterable<[string, string]>): TypedField[] {
  return [...form].filter(
    ([name, value]) => value.trim() !== "" && value !== "on" && !SECRET.test(name) && !CONTROL.test(name),
  );
}

/** Selects them from a request's body; none unless it is a form posted by a page. */
export function typedInBody(contentType: string | null | undefined, body: Uint8Array | null): TypedField[] {
  if (!body || !contentType?.toLowerCase().startsWith("application/x-www-form-urlencoded")) return [];
  return typedFields(new URLSearchParams(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()));
}
