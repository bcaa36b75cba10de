// Sends all personal data of the member as a file.
import { redirect } from "react-router";
import { exportAccount } from "#domain/members/export.ts";
import { recordAudit } from "#domain/site/audit.ts";
import { addressIn, localeAt } from "#shared/locale.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requireFreshSession, requireMember } from "#web/guards.ts";
import { ofAccount } from "#web/request/rate-limits.ts";
import { m } from "../../paraglide/messages.js";
import type { Route } from "./+types/export";

export async function action({ context, url }: Route.ActionArgs) {
  const page = addressIn(localeAt(url.pathname), "/user/settings/data");
  const member = requireFreshSession({ context, url }, { path: page });
  const app = context.get(appContext);
  const wait = await app.limits.consume([ofAccount("export", member.user_id, { tries: 10, seconds: 3600 })]);
  if (wait !== null) {
    return new Response(`${m.account_data_export_limit()}\n`, {
      status: 429,
      headers: { "Content-Type": "text/plain; charset=utf-8", "Retry-After": String(wait) },
    });
  }
  const origin = context.get(visitContext);
  await recordAudit(app.db, { what: "data-exported", actor_id: member.user_id, origin });
  const held = await exportAccount(app, member);
  return new Response(JSON.stringify(held, null, 2), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="my-data-${held.exported_at.slice(0, 10)}.json"`,
    },
  });
}

/** Redirects a direct visit to the page with the button. */
export function loader({ context, url }: Route.LoaderArgs) {
  requireMember({ context, url });
  return redirect(addressIn(localeAt(url.pathname), "/user/settings/data"));
}
