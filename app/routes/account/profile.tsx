// The member's profile: avatar and name; address and role to look at.
import { useEffect, useState } from "react";
import { data, Form, redirect, useLocation, useNavigation } from "react-router";
import { recordAudit } from "#domain/audit.ts";
import { updateName } from "#domain/profiles.ts";
import { dropAvatar, readFileForm, uploadAvatar } from "#web/avatar-actions.ts";
import { appContext, visitContext } from "#web/context.ts";
import { requireMember } from "#web/guards.ts";
import { ofAccount } from "#web/rate-limits.ts";
import { announce } from "../../live/auth-events.ts";
import { addressIn, spokenAt } from "../../spoken.ts";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { SettingsSection, settingsForm } from "../../ui/settings-section/settings-section.tsx";
import { Loading, Skeleton } from "../../ui/skeleton/skeleton.tsx";
import { TextField } from "../../ui/text-field/text-field.tsx";
import type { Route } from "./+types/profile";
import { AvatarEditor } from "./avatar-editor.tsx";
import { avatarWords, nameWords } from "./avatar-words.ts";
import { TEXT } from "./profile-text.ts";

export function loader({ context, request }: Route.LoaderArgs) {
  const { email, role, user_nick_name, avatar_url } = requireMember({ context, request });
  return { email, role, user_nick_name, avatar_url };
}

type Profile = ReturnType<typeof loader>;

/** In the browser the page opens at once, with a skeleton, and the profile follows. */
export function clientLoader({ serverLoader }: Route.ClientLoaderArgs): { late: Promise<Profile> } {
  const late = serverLoader();
  // Whoever is signed out by now is sent on; what was asked for once more, or given up, is no failure.
  late.catch((reason: unknown) => {
    if (reason instanceof Response) location.reload();
  });
  return { late };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = requireMember({ context, request });
  const app = context.get(appContext);
  const visit = context.get(visitContext);
  const spoken = spokenAt(new URL(request.url).pathname);
  const form = await readFileForm(request);
  const intent = typeof form === "string" ? "upload-avatar" : form.get("intent");
  if (intent === "upload-avatar" || intent === "remove-avatar") {
    const outcome =
      intent === "remove-avatar" ? await dropAvatar(app, visit, member) : await uploadAvatar(app, visit, member, form);
    if (outcome.ok) throw saved(request, "avatar");
    return data({ avatar_error: avatarWords(spoken, outcome.reason) }, { status: outcome.status });
  }
  const given = typeof form === "string" ? "" : String(form.get("user_name") ?? "").slice(0, 1_000);
  const wait = await app.limits.charge([ofAccount("user-name", member.user_id, { tries: 20, seconds: 3600 })]);
  const outcome =
    wait === null
      ? await updateName(app.db, member.user_id, given)
      : { ok: false as const, reason: "limit" as const, wait };
  if (!outcome.ok) {
    const status = outcome.reason === "limit" ? 429 : 422;
    return data({ name_error: nameWords(spoken, outcome.reason), user_name: given }, { status });
  }
  await recordAudit(app.db, { what: "profile-changed", actor_id: member.user_id, origin: visit });
  throw saved(request, "name");
}

/** To the page anew: what was loaded for the request that changed it is out of date, the name in the bar too. */
const saved = (request: Request, what: "name" | "avatar") =>
  redirect(`${addressIn(spokenAt(new URL(request.url).pathname), "/user/settings/profile/")}?saved=${what}`);

export default function ProfilePage({ loaderData, actionData }: Route.ComponentProps) {
  const location = useLocation();
  const t = TEXT[spokenAt(location.pathname)];
  const { profile, waited } = useProfile(loaderData);
  const intent = useNavigation().formData?.get("intent");
  const saved = actionData ? null : new URLSearchParams(location.search).get("saved");
  const nameError = actionData && "name_error" in actionData ? actionData : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: saving once more is a new entry of the history
  useEffect(() => {
    if (saved) announce("USER_UPDATED");
  }, [saved, location.key]);
  if (!profile && !waited) return <ProfileSkeleton t={t} />;
  return (
    <>
      <title>{t.title}</title>
      {!profile && <Alert tone="plain">{t.late}</Alert>}
      <SettingsSection title={t.avatar_title} about={t.avatar_about}>
        {profile ? (
          <AvatarEditor words={t.avatar} name={profile.user_nick_name} avatarUrl={profile.avatar_url} />
        ) : (
          <Skeleton shape="avatar" />
        )}
        {actionData && "avatar_error" in actionData && <Alert tone="error">{actionData.avatar_error}</Alert>}
      </SettingsSection>
      <SettingsSection title={t.about_title} about={t.about}>
        <Form method="post" action={location.pathname} className={settingsForm} preventScrollReset>
          <input type="hidden" name="intent" value="save" />
          <TextField
            key={profile?.user_nick_name}
            label={t.user_name}
            name="user_name"
            hint={t.user_name_hint}
            error={nameError?.name_error}
            required
            minLength={2}
            maxLength={64}
            autoComplete="nickname"
            spellCheck={false}
            defaultValue={nameError?.user_name ?? profile?.user_nick_name ?? ""}
            disabled={!profile}
          />
          <TextField
            label={t.email}
            name="email"
            type="email"
            hint={t.email_hint}
            value={profile?.email ?? ""}
            disabled
          />
          <TextField label={t.role} name="role" value={profile ? t.roles[profile.role] : ""} readOnly />
          {saved === "name" && !intent && <Alert tone="good">{t.saved}</Alert>}
          <Button type="submit" loading={intent === "save"} disabled={!profile}>
            {t.save}
          </Button>
        </Form>
      </SettingsSection>
    </>
  );
}

const SKELETON_MS = 1_000;

/** The profile, the one before it while a newer one is on its way, and whether the skeleton has stood long enough. */
function useProfile(given: Profile | { late: Promise<Profile> }): { profile: Profile | null; waited: boolean } {
  const late = "late" in given ? given.late : null;
  const [arrived, setArrived] = useState<Profile | null>(null);
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    if (!late) return;
    let current = true;
    late.then(
      (profile) => current && setArrived(profile),
      () => {},
    );
    const timer = setTimeout(() => setWaited(true), SKELETON_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [late]);
  // The first page brings its profile with it, which stands in until the next one has come.
  const [first] = useState("late" in given ? null : given);
  return { profile: "late" in given ? (arrived ?? first) : given, waited };
}

function ProfileSkeleton({ t }: { t: (typeof TEXT)["en"] }) {
  return (
    <Loading label={t.loading}>
      <title>{t.title}</title>
      <SettingsSection title={t.avatar_title} about={t.avatar_about}>
        <Skeleton shape="avatar" />
      </SettingsSection>
      <SettingsSection title={t.about_title} about={t.about}>
        <Skeleton shape="field" />
        <Skeleton shape="field" />
        <Skeleton shape="field" />
        <Skeleton shape="button" />
      </SettingsSection>
    </Loading>
  );
}
