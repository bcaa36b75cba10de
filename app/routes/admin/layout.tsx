// The guard and the frame of the admin area: side menu and page. Its loader runs on every client navigation too; each page
// and action behind it asks again by itself. A page starts with <AdminHeading>, lists are <DataTable>.
import type { ReactNode } from "react";
import { Outlet, useNavigation } from "react-router";
import { may, type Permission } from "#domain/permissions.ts";
import { requirePermission } from "#web/guards.ts";
import { m } from "../../paraglide/messages.js";
import { AdminMenu } from "../../ui/admin-menu/admin-menu.tsx";
import { ErrorPage } from "../../ui/error-page/error-page.tsx";
import type { Route } from "./+types/layout";
import css from "./layout.module.css";

/** The sections, and what a role must be allowed to open them. */
const SECTIONS = {
  dashboard: "admin:read",
  games: "admin:read",
  gameservers: "admin:read",
  messages: "messages:answer",
  people: "members:write",
  audit: "audit:read",
  settings: "settings:write",
} as const satisfies Record<string, Permission>;

type Section = keyof typeof SECTIONS;

const WORDS: Record<Section, () => string> = {
  dashboard: m.admin_dashboard,
  games: m.admin_games,
  gameservers: m.admin_gameservers,
  messages: m.admin_messages,
  people: m.admin_people,
  audit: m.admin_audit,
  settings: m.admin_settings,
};

export function loader({ context, request }: Route.LoaderArgs) {
  const { role } = requirePermission({ context, request }, "admin:read");
  return { sections: (Object.keys(SECTIONS) as Section[]).filter((section) => may(role, SECTIONS[section])) };
}

export default function AdminLayout({ loaderData }: Route.ComponentProps) {
  return (
    <Frame sections={loaderData.sections}>
      <Outlet />
    </Frame>
  );
}

function Frame({ sections, children }: { sections: Section[]; children: ReactNode }) {
  const { state, location } = useNavigation();
  const loading = state === "loading" && /^(?:\/de)?\/admin(?:\/|$)/.test(location.pathname);
  return (
    <div className={`page ${css.admin}`}>
      <AdminMenu items={sections.map((icon) => ({ to: `/admin/${icon}`, words: WORDS[icon](), icon }))} />
      <div className={css.content} data-loading={loading || undefined}>
        <p className={css.loading} role="status">
          {loading && m.admin_loading()}
        </p>
        {children}
      </div>
    </div>
  );
}

/** What fails inside keeps the menu; whoever may not come in sees nothing of it. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const page = <ErrorPage error={error} />;
  return loaderData ? <Frame sections={loaderData.sections}>{page}</Frame> : page;
}
