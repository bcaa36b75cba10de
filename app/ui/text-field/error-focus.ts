// Focuses the first field with an error after a refusal, so that screen readers announce it.
import { type RefObject, useEffect } from "react";

/** `field`: the input. `error`: its error, if any. */
export function useErrorFocus(field: RefObject<HTMLElement | null>, error: string | null | undefined): void {
  useEffect(() => {
    const own = field.current;
    if (error && own && own.closest("form")?.querySelector("[aria-invalid=true]") === own) own.focus();
  }, [field, error]);
}
