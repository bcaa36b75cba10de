// Loads a part of a page on the press that needs it. Unlike with React's `lazy`, a failed load (offline, or replaced by a new
// release) leaves the page as it is, and the next press retries.
import { useEffect, useRef, useState } from "react";

/**
 * Call `fetchPart` on the press; `Part` is set once loaded; `lost` if that failed: then `onLost` is called too, unless the reader
 * has left the page.
 */
export function useFetchedPart<Part>(load: () => Promise<{ default: Part }>, onLost?: () => void) {
  const [part, setPart] = useState<Part | null>(null);
  const [lost, setLost] = useState(false);
  const isHere = useRef(false);
  const lostBefore = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  function fetchPart() {
    setLost(false);
    if (part) return;
    load().then(
      ({ default: fetched }) => setPart(() => fetched),
      () => {
        // Online, and still failing: Chromium caches failed imports of the part itself until the document is reloaded.
        if (lostBefore.current && navigator.onLine && isHere.current) return location.reload();
        lostBefore.current = true;
        setLost(true);
        if (isHere.current) onLost?.();
      },
    );
  }
  return { Part: part, lost, fetchPart };
}
