// The member's profile: avatar and name; address and role to look at.
import { useEffect } from "react";
import { data, redirect, useLocation, useNavigation } from "react-router";
import { updateName } from "#domain/members/profiles.ts";
import { recordAudit } from "#domain/site/audit.ts";
import { addressIn, spokenAt } from "#shared/spoken.ts";
import { dropAvatar, uploadAvatar } from "#web/accounts/avatar-actions.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requireMember } from "#web/guards.ts";
import { readFileForm } from "#web/request/file-form.ts";
import { ofAccount } from "#web/request/rate-limits.ts";
import { announce } from "../../live/auth-events.ts";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { useAnswer } from "../../ui/form/use-answer.ts";
import { PageTitle } from "../../ui/page-title/page-title.tsx";
import { SettingsSection, settingsForm } from "../../ui/settings-section/settings-section.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import type { Route } from "./+types/profile";
import { AvatarEditor } from "./avatar-editor.tsx";
import { avatarWords, nameWords } from "./avatar-words.ts";
import { TEXT } from "./profile-text.ts";

export function loader({ context, request }: Route.LoaderArgs) {
  const { email, role, user_nick_name, avatar_url } = requireMember({ context, request });
  return { email, role, user_nick_name, avatar_url };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = requireMember({ context, request });
  const app = context.get(appContext);
  const visit = context.get(visitContext);
  const spoken = spokenAt(new URL(request.url).pathname);
  const form = await readFileForm(app, member, request);
  const intent = typeof form === "string" ? "upload-avatar" : form.get("intent");
  if (intent === "upload-avatar" || intent === "remove-avatar") {
    const outcome =
      intent === "remove-avatar" ? await dropAvatar(app, visit, member) : await uploadAvatar(app, visit, member, form);
    if (outcome.ok) throw saved(request, "avatar");
    const wait = outcome.reason === "limit" ? outcome.wait_s : null;
    return data({ avatar_error: avatarWords(spoken, outcome.reason) }, { status: outcome.status, ...retryAfter(wait) });
  }
  const given = typeof form === "string" ? "" : String(form.get("user_name") ?? "").slice(0, 1_000);
  const wait = await app.limits.charge([ofAccount("user-name", member.user_id, { tries: 20, seconds: 3600 })]);
  const outcome =
    wait === null ? await updateName(app.db, member.user_id, given) : { ok: false as const, reason: "limit" as const };
  if (!outcome.ok) {
    const status = outcome.reason === "limit" ? 429 : 422;
    return data({ name_error: nameWords(spoken, outcome.reason), user_name: given }, { status, ...retryAfter(wait) });
  }
  await recordAudit(app.db, { what: "profile-changed", actor_id: member.user_id, origin: visit });
  throw saved(request, "name");
}

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) => actionHeaders ?? loaderHeaders;

const retryAfter = (wait_s: number | null) => (wait_s === null ? {} : { headers: { "Retry-After": String(wait_s) } });

/** To the page anew: what was loaded for the request that changed it is out of date, the name in the bar too. */
const saved = (request: Request, what: "name" | "avatar") =>
  redirect(`${addressIn(spokenAt(new URL(request.url).pathname), "/user/settings/profile/")}?saved=${what}`);

export default function ProfilePage({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const location = useLocation();
  const t = TEXT[spokenAt(location.pathname)];
  const profile = loaderData;
  const intent = useNavigation().formData?.get("intent");
  const saved = actionData ? null : new URLSearchParams(location.search).get("saved");
  const nameError = actionData && "name_error" in actionData ? actionData : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: saving once more is a new entry of the history
  useEffect(() => {
    if (saved) announce("USER_UPDATED");
  }, [saved, location.key]);
  return (
    <>
      <PageTitle>{t.title}</PageTitle>
      <SettingsSection title={t.avatar_title} about={t.avatar_about}>
        <AvatarEditor words={t.avatar} name={profile.user_nick_name} avatarUrl={profile.avatar_url} />
        {actionData && "avatar_error" in actionData && <Alert tone="error">{actionData.avatar_error}</Alert>}
      </SettingsSection>
      <SettingsSection title={t.about_title} about={t.about}>
        <Form failed={m.failed_profile()} action={location.pathname} className={settingsForm} preventScrollReset>
          <input type="hidden" name="intent" value="save" />
          <TextField
            key={profile.user_nick_name}
            label={t.user_name}
            name="user_name"
            hint={t.user_name_hint}
            error={nameError?.name_error}
            required
            minLength={2}
            maxLength={64}
            autoComplete="nickname"
            spellCheck={false}
            defaultValue={nameError?.user_name ?? profile.user_nick_name}
          />
          <TextField label={t.email} name="email" type="email" hint={t.email_hint} value={profile.email} disabled />
          <TextField label={t.role} name="role" value={t.roles[profile.role]} readOnly />
          {saved === "name" && !intent && <Alert tone="good">{t.saved}</Alert>}
          <Button type="submit" loading={intent === "save"}>
            {t.save}
          </Button>
        </Form>
      </SettingsSection>
    </>
  );
}
