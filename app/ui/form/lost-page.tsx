// Reports that a link's page could not be loaded, over the current page.
import { useEffect, useSyncExternalStore } from "react";
import { useLocation, useNavigate } from "react-router";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../alert/alert.tsx";
import { Button } from "../button/button.tsx";
import css from "./over-page.module.css";
import { isShown, lostPageStore } from "./sent-forms.ts";

export function LostPage() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const address = pathname + search;
  const lost = useSyncExternalStore(lostPageStore.subscribe, lostPageStore.read, () => null);
  useEffect(() => {
    isShown(navigate, address);
    lostPageStore.set(null);
  }, [navigate, address]);
  if (lost === null) return null;
  return (
    <div className={css.notice}>
      <Alert tone="error" dismiss={{ label: m.form_dismiss(), onDismiss: () => lostPageStore.set(null) }}>
        {m.form_lost_page()}
        <span className={css.acts}>
          <Button
            size="s"
            variant="outlined"
            onClick={() => {
              lostPageStore.set(null);
              void navigate(lost);
            }}
          >
            {m.form_again()}
          </Button>
        </span>
      </Alert>
    </div>
  );
}
