// Head of the notification pages: THE LIST of its tabs.
import type { ReactNode } from "react";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { NavTabs } from "../../../ui/tabs/nav-tabs.tsx";

const AT = "/admin/notifications";

/** Address and name of each page, in order. */
const TABS: { to: string; label: () => string }[] = [
  { to: AT, label: m.admin_notify_overview },
  { to: `${AT}/channels`, label: m.admin_notify_channels },
  { to: `${AT}/discord`, label: m.admin_discord },
  { to: `${AT}/rules`, label: m.admin_notify_rules },
];

/** `children`: buttons of the page. */
export function NotificationTabs({ children }: { children?: ReactNode }) {
  return (
    <>
      <AdminHeading title={m.admin_notifications()} note={m.admin_notify_note()}>
        {children}
      </AdminHeading>
      <NavTabs label={m.admin_notifications()} tabs={TABS.map(({ to, label }) => ({ to, label: label() }))} />
    </>
  );
}
