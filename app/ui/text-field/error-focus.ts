// Leads to the first field of a form that was refused: whoever sees nothing hears by it what is wrong and where.
import { type RefObject, useEffect } from "react";

/** `field`: the input of a form. `error`: what is wrong with it, if anything. */
export function useErrorFocus(field: RefObject<HTMLElement | null>, error: string | null | undefined): void {
  useEffect(() => {
    const own = field.current;
    if (error && own && own.closest("form")?.querySelector("[aria-invalid=true]") === own) own.focus();
  }, [field, error]);
}
