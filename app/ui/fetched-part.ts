// A part of a page that is fetched with the press that needs it. Unlike React's `lazy`, one that does not come (the device is
// offline, a new release has taken its place) leaves the page as it is, and the next press asks again.
import { useEffect, useRef, useState } from "react";
import { importPart } from "./import-part.ts";

/**
 * `fetchPart` once somebody presses; `Part` is there from then on, unless it is `lost`: `onLost` is told, too, but not once
 * the reader has gone on to another page.
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
    importPart(load).then(
      ({ default: fetched }) => setPart(() => fetched),
      () => {
        // Online again, and still lost: Chromium remembers what the part itself imports as lost until the document is loaded again.
        if (lostBefore.current && navigator.onLine && isHere.current) return location.reload();
        lostBefore.current = true;
        setLost(true);
        if (isHere.current) onLost?.();
      },
    );
  }
  return { Part: part, lost, fetchPart };
}
