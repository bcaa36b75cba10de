// Creates a news article as a draft.
import { redirect, useNavigation } from "react-router";
import { listAboutChoices } from "#domain/news/about-choices.ts";
import { createNews } from "#domain/news/edits.ts";
import { NEWS_LIMITS } from "#domain/news/fields.ts";
import { appContext } from "#web/context.ts";
import { handleForm, permitted } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { useStill } from "../../../ui/form/use-answer.ts";
import { fieldErrorText, refuseField } from "../field-errors.ts";
import type { Route } from "./+types/create";
import { newNewsForm, readNewsForm } from "./form-texts.ts";
import { actBesides, checkNews } from "./news-acts.ts";
import { NewsEditor } from "./news-editor.tsx";

/** Fits both texts at full length, with characters of twelve bytes in a form. */
export const handle: RouteFacts = { maxBody: 320 * 1024 };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "news:write");
  // A link may preset the subject (?about=server:12).
  const asked = url.searchParams.get("about") ?? "";
  const about = /^(?:game|server):[1-9]\d{0,8}$/.test(asked) ? [asked] : [];
  const { choices, more } = await listAboutChoices(context.get(appContext).db, about, "");
  const known = about.filter((one) => choices.some(({ value }) => value === one));
  return { form: newNewsForm(choices, known), more, limits: NEWS_LIMITS };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("news:write"),
    read: readNewsForm,
    async act({ given, form, app, actor }) {
      const besides = await actBesides(given, form, app.db);
      if (besides) return besides;
      const checked = checkNews(given);
      if (!checked.ok) return checked;
      const made = await createNews(app.db, actor, checked.data);
      if (!made.ok) return refuseField(made.reason === "ends_early" ? "ends_at" : "about", fieldErrorText(made.reason));
      return redirect(here(`/admin/news/${made.news_id}/edit?done=created`));
    },
    away: m.admin_try_again,
  });
}

export default function NewsCreate({ loaderData, actionData }: Route.ComponentProps) {
  const still = useStill(loaderData.form);
  const busy = useNavigation().state === "submitting";
  return (
    <>
      <AdminHeading title={m.admin_news_create()} up={{ to: "/admin/news", label: m.admin_news() }} />
      <NewsEditor
        stored={still}
        revision={null}
        more={loaderData.more}
        limits={loaderData.limits}
        answer={actionData}
        busy={busy}
        failed={m.admin_news_create_failed()}
        at={here("/admin/news/create")}
      />
    </>
  );
}
