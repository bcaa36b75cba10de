// Warns that no mails are sent.
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Link } from "../../../ui/link/link.tsx";

export const NoMail = () => (
  <Alert tone="plain">
    {m.admin_notify_no_mail()} <Link to="/admin/setup?step=mail">{m.admin_notify_no_mail_act()}</Link>
  </Alert>
);
