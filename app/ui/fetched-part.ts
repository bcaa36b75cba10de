// A part of a page that is fetched with the press that needs it. Unlike React's `lazy`, one that does not come (the device is
// offline, a new release has taken its place) leaves the page as it is, and the next press asks again.
import { useEffect, useRef, useState } from "react";

/**
 * `fetchPart` once somebody presses; `Part` is there from then on, unless it is `lost`: `onLost` is told, too, but not once
 * the reader has gone on to another page.
 */
export function useFetchedPart<Part>(load: () => Promise<{ default: Part }>, onLost?: () => void) {
  const [part, setPart] = useState<Part | null>(null);
  const [lost, setLost] = useState(false);
  const isHere = useRef(false);
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
        setLost(true);
        if (isHere.current) onLost?.();
      },
    );
  }
  return { Part: part, lost, fetchPart };
}
