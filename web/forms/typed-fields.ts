// What a person had typed into a form, as far as a page may show it again.

/** A name and a value. */
export type TypedField = [name: string, value: string];

/** Passwords, codes and whatever else lets somebody in: never shown. */
const SECRET = /pass|token|secret|invitation|^(?:current|codes?|uri|next)$/i;
/** What forms carry for us. `website` is the trap for programs. */
const CONTROL = /_id$|^(?:id|intent|revision|lists|opened|website|seen|state|place|move|sort|page|confirm)$/;

/** The fields that somebody has typed; ticks and choices, which are as quickly made again, are left out. */
function typedFields(form: Iterable<[string, string]>): TypedField[] {
  return [...form].filter(
    ([name, value]) => value.trim() !== "" && value !== "on" && !SECRET.test(name) && !CONTROL.test(name),
  );
}

/** The same of a request's body; none where it is no form that was posted as a page. */
export function typedInBody(contentType: string | null | undefined, body: Uint8Array | null): TypedField[] {
  if (!body || !contentType?.toLowerCase().startsWith("application/x-www-form-urlencoded")) return [];
  return typedFields(new URLSearchParams(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()));
}
