// Receives an avatar from the crop dialog, which shows the progress; without script the profile page receives it.
import { redirect } from "react-router";
import { addressIn, localeAt } from "#shared/locale.ts";
import { uploadAvatar } from "#web/accounts/avatar-actions.ts";
import { appContext, visitContext } from "#web/context.ts";
import { readFileForm } from "#web/forms/file-form.ts";
import { requireMember } from "#web/guards.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import type { Route } from "./+types/avatar";
import { avatarText } from "./avatar-text.ts";

export const handle: RouteFacts = { takesFiles: true };

export async function action({ context, request, url }: Route.ActionArgs) {
  const member = requireMember({ context, url });
  const app = context.get(appContext);
  const form = await readFileForm(app, member, request);
  const outcome = await uploadAvatar(app, context.get(visitContext), member, form);
  if (outcome.ok) return Response.json({ avatar_url: outcome.avatar_url });
  const headers = outcome.reason === "limit" ? { "Retry-After": String(outcome.wait_s) } : undefined;
  return Response.json({ error: avatarText(outcome.reason) }, { status: outcome.status, headers });
}

/** Redirects a direct visit to the page with the picture. */
export function loader({ context, url }: Route.LoaderArgs) {
  requireMember({ context, url });
  return redirect(addressIn(localeAt(url.pathname), "/user/settings/profile/"));
}
