// Guards and frames the admin area: side menu and page. Its loader runs on every client navigation too; each page and action below
// checks again. A page starts with <AdminHeading>, lists are <DataTable>.
import type { ReactNode } from "react";
import { Outlet, useNavigation } from "react-router";
import { countUnread } from "#domain/inbox/inbox.ts";
import { may, type Permission } from "#domain/permissions.ts";
import { appContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { formatNumber } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { AdminMenu } from "../../ui/admin-menu/admin-menu.tsx";
import { ErrorPage } from "../../ui/error-page/error-page.tsx";
import { KeptPage } from "../../ui/form/kept-page.tsx";
import type { Route } from "./+types/layout";
import css from "./layout.module.css";

/** Sections, with the permission that opens them. */
const SECTIONS = {
  dashboard: "admin:read",
  games: "admin:read",
  gameservers: "admin:read",
  news: "admin:read",
  media: "admin:read",
  status: "gameservers:write",
  messages: "messages:answer",
  notifications: "settings:write",
  people: "members:write",
  audit: "audit:read",
  settings: "settings:write",
} as const satisfies Record<string, Permission>;

type Section = keyof typeof SECTIONS;

const LABELS: Record<Section, () => string> = {
  dashboard: m.admin_dashboard,
  games: m.admin_games,
  gameservers: m.admin_gameservers,
  news: m.admin_news,
  media: m.admin_media,
  status: m.admin_status,
  messages: m.admin_messages,
  notifications: m.admin_notifications,
  people: m.admin_people,
  audit: m.admin_audit,
  settings: m.admin_settings,
};

/** More unread messages are shown as "99+". */
const MOST_UNREAD = 99;

export const handle: RouteFacts = { forMembers: true, kept: false, robots: false };

export async function loader({ context, url }: Route.LoaderArgs) {
  const { role } = requirePermission({ context, url }, "admin:read");
  return {
    sections: (Object.keys(SECTIONS) as Section[]).filter((section) => may(role, SECTIONS[section])),
    unread: may(role, SECTIONS.messages) ? await countUnread(context.get(appContext).db, MOST_UNREAD + 1) : 0,
  };
}

export default function AdminLayout({ loaderData }: Route.ComponentProps) {
  return (
    <Frame {...loaderData}>
      <Outlet />
    </Frame>
  );
}

function Frame({ sections, unread, children }: { sections: Section[]; unread: number; children: ReactNode }) {
  const { state, location } = useNavigation();
  const loading = state === "loading" && /^(?:\/de)?\/admin(?:\/|$)/.test(location.pathname);
  return (
    <div className={`page ${css.admin}`}>
      <AdminMenu
        items={sections.map((icon) => ({
          to: `/admin/${icon}`,
          label: LABELS[icon](),
          icon,
          count: icon === "messages" && unread > 0 ? countOf(unread) : undefined,
        }))}
      />
      <div className={css.content} data-loading={loading || undefined}>
        <p className={css.loading} role="status">
          {loading && m.admin_loading()}
        </p>
        {children}
      </div>
      <KeptPage />
    </div>
  );
}

function countOf(unread: number) {
  const figure = unread > MOST_UNREAD ? `${formatNumber(MOST_UNREAD)}+` : formatNumber(unread);
  return { figure, label: m.admin_messages_unread_count({ count: figure }) };
}

/** Errors inside keep the menu; without permission none of it is shown. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const page = <ErrorPage error={error} />;
  return loaderData ? <Frame {...loaderData}>{page}</Frame> : page;
}
