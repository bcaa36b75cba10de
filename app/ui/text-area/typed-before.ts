// What somebody has typed into a field of several lines before the scripts of the page were there: React writes the field's first text
// over it when it takes the page over. (Fields of one line keep theirs.)
import { type RefObject, useLayoutEffect, useState } from "react";

/** @param id of the field, as the server wrote it into the page */
export function useTypedBefore(field: RefObject<HTMLTextAreaElement | null>, id: string): void {
  // Read while the component is first rendered: the field is in the page already only where React takes it over.
  const [typed] = useState(() =>
    typeof document === "undefined" ? null : (document.getElementById(id) as HTMLTextAreaElement | null)?.value,
  );
  useLayoutEffect(() => {
    if (field.current && typed != null && field.current.value !== typed) field.current.value = typed;
  }, [field, typed]);
}
