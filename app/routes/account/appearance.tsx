// Sets the member's language and theme.
import { redirectDocument, useLocation, useNavigation } from "react-router";
import { updateAppearance } from "#domain/members/profiles.ts";
import { recordAudit } from "#domain/site/audit.ts";
import { twinOf } from "#shared/locale.ts";
import { handleForm, signedIn } from "#web/forms/handle-form.ts";
import { requireMember } from "#web/guards.ts";
import { languageCookie } from "#web/request/language.ts";
import { m } from "../../paraglide/messages.js";
import { Alert } from "../../ui/alert/alert.tsx";
import { Button } from "../../ui/button/button.tsx";
import { Form } from "../../ui/form/form.tsx";
import { PageTitle } from "../../ui/page-title/page-title.tsx";
import { RadioCards } from "../../ui/radio-cards/radio-cards.tsx";
import { SettingsSection, settingsForm } from "../../ui/settings-section/settings-section.tsx";
import type { Route } from "./+types/appearance";
import css from "./appearance.module.css";

/** Valid for a year; read by theme.js before the first paint. */
const themeCookie = (theme: string, siteUrl: string) =>
  `theme=${theme}; Path=/; Max-Age=31536000; SameSite=Lax${siteUrl.startsWith("https:") ? "; Secure" : ""}`;

export function loader({ context, url }: Route.LoaderArgs) {
  const { locale, theme } = requireMember({ context, url });
  return { locale, theme };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: signedIn,
    read: (form) => ({
      locale: form.get("locale") === "de" ? ("de" as const) : ("en" as const),
      theme: form.get("theme") === "light" ? ("light" as const) : ("dark" as const),
    }),
    async act({ given, app, visit, member }) {
      await updateAppearance(app.db, member.user_id, given);
      await recordAudit(app.db, { what: "profile-changed", actor_id: member.user_id, origin: visit, details: given });
      const headers = new Headers();
      headers.append("Set-Cookie", themeCookie(given.theme, app.siteUrl));
      headers.append("Set-Cookie", languageCookie(given.locale, app.siteUrl));
      // Loads a new document, which language and theme belong to.
      return redirectDocument(`${twinOf("/user/settings/appearance", given.locale)}?saved=1`, { headers });
    },
  });
}

/** Removes this browser's own choice, in favour of the saved one. */
function onSubmit(event: React.FormEvent<HTMLFormElement>) {
  const theme = new FormData(event.currentTarget).get("theme");
  try {
    localStorage.setItem("theme", String(theme));
  } catch {
    // Where storage is blocked, the cookie is used.
  }
}

export default function AppearancePage({ loaderData }: Route.ComponentProps) {
  const location = useLocation();
  const busy = useNavigation().state === "submitting";
  const sample = (theme: string) => (
    <span className={css.sample} data-theme={theme} aria-hidden="true">
      <span className={css.bar} />
      <span className={css.sheet}>
        <span className={css.line} />
        <span className={css.line} />
        <span className={css.pill} />
      </span>
    </span>
  );
  return (
    <>
      <PageTitle>{m.account_appearance_title()}</PageTitle>
      <SettingsSection title={m.account_appearance_section()} about={m.account_appearance_about()}>
        <Form failed={m.failed_appearance()} action={location.pathname} className={settingsForm} onSubmit={onSubmit}>
          <RadioCards
            label={m.account_appearance_language()}
            name="locale"
            chosen={loaderData.locale}
            options={[
              { value: "en", label: "English", lang: "en" },
              { value: "de", label: "Deutsch", lang: "de" },
            ]}
          />
          <RadioCards
            label={m.account_appearance_theme()}
            name="theme"
            chosen={loaderData.theme}
            options={[
              { value: "dark", label: m.account_appearance_dark(), picture: sample("dark") },
              { value: "light", label: m.account_appearance_light(), picture: sample("light") },
            ]}
          />
          {location.search.includes("saved=1") && <Alert tone="good">{m.account_saved()}</Alert>}
          <Button type="submit" loading={busy}>
            {m.account_save()}
          </Button>
        </Form>
      </SettingsSection>
    </>
  );
}
