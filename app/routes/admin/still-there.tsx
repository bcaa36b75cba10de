// Above a form that somebody comes back to after they have shown once more who they are.
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";

export const StillThere = () => <Alert tone="plain">{m.account_still_there()}</Alert>;
