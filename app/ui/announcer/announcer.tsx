// Announces changes to screen readers: politely, the latest only, and not too often.
import { useEffect, useRef, useState } from "react";

const EVERY_MS = 15_000;

/** Announces `text` after changes, at most every 15 seconds; never the initial one. */
export function Announcer({ text }: { text: string }) {
  const newest = useRef(text);
  const [said, setSaid] = useState<string | null>(null);

  useEffect(() => {
    newest.current = text;
  }, [text]);

  useEffect(() => {
    const onArrival = newest.current;
    const timer = setInterval(() => {
      setSaid((before) => (before === null && newest.current === onArrival ? null : newest.current));
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, []);

  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  );
}
