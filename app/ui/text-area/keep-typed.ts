// Keeps what was typed into a textarea before hydration: React resets it to the server's value. (It leaves single-line fields
// alone.)
import { type RefObject, useLayoutEffect, useState } from "react";

/** `id`: of the field, also in the server's HTML. */
export function useKeptTyped(field: RefObject<HTMLTextAreaElement | null>, id: string): void {
  // During the first render, the server's field still has the input; without that field there was none.
  const [typed] = useState(() => {
    const there = typeof document === "undefined" ? null : document.getElementById(id);
    return there && there instanceof HTMLTextAreaElement && there.value !== there.defaultValue ? there.value : null;
  });
  useLayoutEffect(() => {
    const own = field.current;
    // Input during hydration stays.
    if (own && typed !== null && own.value === own.defaultValue) own.value = typed;
  }, [field, typed]);
}
