// Dismissible alert that reappears with the next answer.
import { type ReactNode, useState } from "react";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../alert/alert.tsx";

/** `of`: the answer it belongs to; another one shows it again. */
export function Notice({ tone, of, children }: { tone: "error" | "good"; of: unknown; children: ReactNode }) {
  const [putAway, setPutAway] = useState<unknown>(null);
  if (putAway !== null && putAway === of) return null;
  return (
    <Alert tone={tone} dismiss={{ label: m.dismiss(), onDismiss: () => setPutAway(of) }}>
      {children}
    </Alert>
  );
}
