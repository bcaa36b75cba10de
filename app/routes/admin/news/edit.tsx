// Edits a news article: draft or published.
import { data, useNavigation, useSearchParams } from "react-router";
import { listAboutChoices } from "#domain/news/about-choices.ts";
import { findNewsToEdit, updateNews } from "#domain/news/edits.ts";
import { NEWS_LIMITS, titleOf } from "#domain/news/fields.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, refuse, refuseConflict, textOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { useStill } from "../../../ui/form/use-answer.ts";
import { Notice } from "../../../ui/notice/notice.tsx";
import { requireId } from "../asked-id.ts";
import { differences, fieldErrorText, refuseField } from "../field-errors.ts";
import type { Route } from "./+types/edit";
import { type NewsForm, readNewsForm, toNewsForm } from "./form-texts.ts";
import { actBesides, checkNews, comparable, newsLabels, type Outcome } from "./news-acts.ts";
import { NewsEditor } from "./news-editor.tsx";
import { NewsTabs } from "./tabs.tsx";

/** Same as in create.tsx. */
export const handle: RouteFacts = { maxBody: 320 * 1024 };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "news:write");
  const { db } = context.get(appContext);
  const found = await findNewsToEdit(db, requireId(params.newsId));
  if (!found) throw data(null, { status: 404 });
  const { choices, more } = await listAboutChoices(db, found.form.about, "");
  return {
    news: {
      news_id: found.news_id,
      slug: found.slug,
      title: titleOf(found.form),
      published: found.form.published,
    },
    form: toNewsForm(found.form, choices),
    revision: found.revision,
    more,
    limits: NEWS_LIMITS,
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("news:write"),
    read: readNewsForm,
    async act({ given, form, app, actor }) {
      const newsId = requireId(asked.params.newsId);
      const besides = await actBesides(given, form, app.db);
      if (besides) return besides;
      const checked = checkNews(given);
      if (!checked.ok) return checked;
      const saved = await updateNews(app.db, actor, newsId, textOf(form, "revision"), checked.data);
      if (saved.ok) return done<Outcome, NewsForm>({ kind: "saved" }, { revision: saved.revision });
      if (saved.reason === "gone") return refuse(410, m.admin_news_gone());
      if (saved.reason === "conflict") {
        const { choices } = await listAboutChoices(app.db, [...saved.theirs.about, ...checked.data.about], "");
        const rows = differences(comparable(saved.theirs, choices), comparable(checked.data, choices), newsLabels());
        return refuseConflict(saved.revision, rows);
      }
      return refuseField(saved.reason === "ends_early" ? "ends_at" : "about", fieldErrorText(saved.reason));
    },
    away: m.admin_try_again,
  });
}

export default function NewsEdit({ loaderData, actionData }: Route.ComponentProps) {
  const { news, more, limits } = loaderData;
  const still = useStill(loaderData);
  const busy = useNavigation().state === "submitting";
  const created = useSearchParams()[0].get("done") === "created";
  return (
    <>
      <NewsTabs news={news} />
      <NewsEditor
        key={news.news_id}
        stored={still.form}
        revision={still.revision}
        more={more}
        limits={limits}
        answer={actionData}
        busy={busy}
        failed={m.admin_news_update_failed()}
        at={here(`/admin/news/${news.news_id}/edit`)}
        notice={
          created && (
            <Notice tone="good" of="created">
              {m.admin_news_created()}
            </Notice>
          )
        }
      />
    </>
  );
}
