// Keeps what was typed into a field of several lines before the page's scripts were there: React, taking the page over, sets such a
// field back to what the server wrote into it. (It leaves what was typed into those of one line.)
import { type RefObject, useLayoutEffect, useState } from "react";

/** `id`: of the field, as the server wrote it too. */
export function useKeptTyped(field: RefObject<HTMLTextAreaElement | null>, id: string): void {
  // While this first renders, the field of the server's page still has what was typed; where there is none yet, nothing was.
  const [typed] = useState(() => {
    const there = typeof document === "undefined" ? null : document.getElementById(id);
    return there && there instanceof HTMLTextAreaElement && there.value !== there.defaultValue ? there.value : null;
  });
  useLayoutEffect(() => {
    const own = field.current;
    // What is typed while React is at it stays as it is.
    if (own && typed !== null && own.value === own.defaultValue) own.value = typed;
  }, [field, typed]);
}
