// Reports the outcome of a form that was sent in the background and whose page was left.
import { useSyncExternalStore } from "react";
import { useNavigate } from "react-router";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../alert/alert.tsx";
import { Button } from "../button/button.tsx";
import { noAnswerText } from "./no-answer.tsx";
import css from "./over-page.module.css";
import { leftFormStore } from "./sent-forms.ts";

export function LeftForm() {
  const navigate = useNavigate();
  const left = useSyncExternalStore(leftFormStore.subscribe, leftFormStore.read, () => null);
  if (left === null) return null;
  return (
    <div className={css.notice}>
      <Alert tone="error" dismiss={{ label: m.form_dismiss(), onDismiss: () => leftFormStore.set(null) }}>
        {noAnswerText(left.failed, left.failure)}
        <span className={css.acts}>
          <Button
            size="s"
            variant="outlined"
            onClick={() => {
              leftFormStore.set(null);
              void navigate(left.address);
            }}
          >
            {m.form_left_back()}
          </Button>
        </span>
      </Alert>
    </div>
  );
}
