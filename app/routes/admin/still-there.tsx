// Notice above a form after re-authentication.
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";

export const StillThere = () => <Alert tone="plain">{m.account_still_there()}</Alert>;
