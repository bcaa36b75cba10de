// Passkey button; shown once script knows that the browser supports it; its space is reserved before.
import { useEffect, useState } from "react";
import { m } from "../../../paraglide/messages.js";
import { hasPasskeys, type PasskeyOutcome, signInWithPasskey } from "../../../passkeys.ts";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button } from "../../../ui/button/button.tsx";
import css from "./passkey-button.module.css";

type Props = { texts: { act: string; refused: string }; to: string };

export function PasskeyButton({ texts, to }: Props) {
  const [state, setState] = useState<PasskeyOutcome | "unknown" | "absent" | "ready" | "busy">("unknown");
  useEffect(() => setState(hasPasskeys() ? "ready" : "absent"), []);
  if (state === "absent") return null;
  if (state === "unknown") return <div className={css.place} />;
  async function signIn() {
    setState("busy");
    const outcome = await signInWithPasskey().catch((): PasskeyOutcome => "refused");
    if (outcome === "done") location.assign(to);
    else setState(outcome);
  }
  return (
    <>
      {state === "refused" && <Alert tone="error">{texts.refused}</Alert>}
      {state === "unanswered" && <Alert tone="error">{m.login_failed({ reason: m.form_silent() })}</Alert>}
      <Button variant="tonal" size="l" loading={state === "busy"} onClick={signIn}>
        {texts.act}
      </Button>
    </>
  );
}
