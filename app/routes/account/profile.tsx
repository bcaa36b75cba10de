// Shows the member's profile: avatar and name to change; address and role to read.
import { useEffect } from "react";
import { redirect, useLocation, useNavigation } from "react-router";
import { listHiddenNames, replaceHiddenNames } from "#domain/members/hidden-names.ts";
import { updateName } from "#domain/members/profiles.ts";
import { addressIn, type Locale } from "#shared/locale.ts";
import { dropAvatar, uploadAvatar } from "#web/accounts/avatar-actions.ts";
import { appContext } from "#web/context.ts";
import { FILE_FORM_STATUS, readFileForm } from "#web/forms/file-form.ts";
import { handleForm, refuse, refuseFields, refuseForNow, signedIn, textOf } from "#web/forms/handle-form.ts";
import { requireMember } from "#web/guards.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { ofAccount } from "#web/request/rate-limits.ts";
import { announce } from "../../live/auth-events.ts";
import { m } from "../../paraglide/messages.js";
import { roleText } from "../../role-label.ts";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { KeptText } from "../../ui/form/kept-text.tsx";
import { useAnswer } from "../../ui/form/use-answer.ts";
import { PageTitle } from "../../ui/page-title/page-title.tsx";
import { SettingsSection, settingsForm } from "../../ui/settings-section/settings-section.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import type { Route } from "./+types/profile";
import { AvatarEditor } from "./avatar-editor.tsx";
import { avatarText, nameText } from "./avatar-text.ts";
import { HiddenNames } from "./hidden-names.tsx";

export const handle: RouteFacts = { takesFiles: true };

export async function loader({ context, url }: Route.LoaderArgs) {
  const { user_id, email, role, user_nick_name, avatar_url } = requireMember({ context, url });
  const player_names = await listHiddenNames(context.get(appContext).db, user_id);
  return { email, role, user_nick_name, avatar_url, player_names };
}

export function action(asked: Route.ActionArgs) {
  const { context, request } = asked;
  return handleForm(asked, {
    who: signedIn,
    async receive({ member }) {
      const form = await readFileForm(context.get(appContext), member, request);
      if (form instanceof FormData) return form;
      return refuse(FILE_FORM_STATUS[form], avatarText(form));
    },
    read: (form) => ({
      user_name: textOf(form, "user_name", 1_000),
      player_names: textOf(form, "player_names", 2_000),
    }),
    async act({ given, form, intent, app, visit, locale, member, actor }) {
      if (intent === "upload-avatar" || intent === "remove-avatar") {
        const outcome =
          intent === "remove-avatar"
            ? await dropAvatar(app, visit, member)
            : await uploadAvatar(app, visit, member, form);
        if (outcome.ok) return saved(locale, "avatar");
        const problem = avatarText(outcome.reason);
        return outcome.reason === "limit" ? refuseForNow(outcome.wait_s, problem) : refuse(outcome.status, problem);
      }
      if (intent === "hide-names") {
        const outcome = await replaceHiddenNames(app.db, member.user_id, given.player_names);
        if (outcome.ok) return saved(locale, "names");
        return refuseFields({
          player_names: outcome.reason === "many" ? m.account_names_many() : m.account_names_long(),
        });
      }
      const wait = await app.limits.consume([ofAccount("user-name", member.user_id, { tries: 20, seconds: 3600 })]);
      if (wait !== null) {
        const text = nameText("limit");
        return { ...refuseForNow(wait, text), problem: null, fieldErrors: { user_name: text } };
      }
      const outcome = await updateName(app.db, actor, given.user_name);
      if (!outcome.ok) return refuseFields({ user_name: nameText(outcome.reason) });
      return saved(locale, "name");
    },
    away: (intent) => `${intent === "remove-avatar" ? m.failed_avatar() : m.failed_profile()} ${m.admin_try_again()}`,
  });
}

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) => actionHeaders ?? loaderHeaders;

/** Redirect: the loader data is stale after the change, the name in the bar too. */
const saved = (locale: Locale, what: "name" | "avatar" | "names") =>
  redirect(`${addressIn(locale, "/user/settings/profile/")}?saved=${what}`);

export default function ProfilePage({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const location = useLocation();
  const profile = loaderData;
  const intent = useNavigation().formData?.get("intent");
  const saved = actionData ? null : new URLSearchParams(location.search).get("saved");
  const refused = (intent: string) => (actionData?.done === null && actionData.intent === intent ? actionData : null);
  const name = refused("save");
  const names = refused("hide-names");
  // biome-ignore lint/correctness/useExhaustiveDependencies: saving once more is a new entry of the history
  useEffect(() => {
    if (saved) announce("USER_UPDATED");
  }, [saved, location.key]);
  return (
    <>
      <PageTitle>{m.account_settings_layout_profile()}</PageTitle>
      <SettingsSection title={m.account_avatar_title()} about={m.account_avatar_about()}>
        <AvatarEditor name={profile.user_nick_name} avatarUrl={profile.avatar_url} />
        {actionData?.problem && !name && !names && <Alert tone="error">{actionData.problem}</Alert>}
      </SettingsSection>
      <SettingsSection title={m.account_profile_about_title()} about={m.account_profile_about()}>
        <Form failed={m.failed_profile()} action={location.pathname} className={settingsForm} preventScrollReset>
          <input type="hidden" name="intent" value="save" />
          <KeptText of="name" />
          <TextField
            key={profile.user_nick_name}
            label={m.account_profile_name()}
            name="user_name"
            hint={m.account_profile_name_hint()}
            error={name?.fieldErrors.user_name}
            required
            minLength={2}
            maxLength={64}
            autoComplete="nickname"
            spellCheck={false}
            defaultValue={name?.given.user_name ?? profile.user_nick_name}
          />
          <TextField
            label={m.account_profile_email()}
            name="email"
            type="email"
            hint={m.account_profile_email_hint()}
            value={profile.email}
            disabled
          />
          <TextField label={m.account_profile_role()} name="role" value={roleText(profile.role)} readOnly />
          {name?.problem && <Alert tone="error">{name.problem}</Alert>}
          {saved === "name" && !intent && <Alert tone="good">{m.account_saved()}</Alert>}
          <Button type="submit" loading={intent === "save"}>
            {m.account_save()}
          </Button>
        </Form>
      </SettingsSection>
      <HiddenNames
        names={profile.player_names}
        typed={names?.given.player_names ?? null}
        error={names?.fieldErrors.player_names}
        problem={names?.problem ?? null}
        saved={saved === "names"}
      />
    </>
  );
}
