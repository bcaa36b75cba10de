// Deletes a news article after its title was typed.
import { data, redirect } from "react-router";
import { findNewsToEdit, removeNews } from "#domain/news/edits.ts";
import { titleOf } from "#domain/news/fields.ts";
import { appContext } from "#web/context.ts";
import { handleForm, permitted } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { requireId } from "../asked-id.ts";
import { ConfirmAct } from "../confirm-act.tsx";
import { readConfirm, refuseDeletion } from "../confirm-refusals.ts";
import type { Route } from "./+types/delete";
import { NewsTabs } from "./tabs.tsx";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "news:write");
  const found = await findNewsToEdit(context.get(appContext).db, requireId(params.newsId));
  if (!found) throw data(null, { status: 404 });
  const { news_id, slug, form } = found;
  return { news: { news_id, slug, title: titleOf(form), published: form.published } };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("news:write"),
    read: readConfirm,
    async act({ given, app, actor }) {
      const outcome = await removeNews(app.db, actor, requireId(asked.params.newsId), given.confirm);
      if (!outcome.ok) return refuseDeletion(outcome.reason);
      return redirect(here("/admin/news?done=deleted"));
    },
  });
}

export default function NewsDelete({ loaderData: { news }, actionData }: Route.ComponentProps) {
  return (
    <>
      <NewsTabs news={news} />
      <ConfirmAct
        name={news.title}
        act={m.admin_news_delete()}
        back={`/admin/news/${news.news_id}/edit`}
        answer={actionData}
      >
        <p>{m.admin_news_delete_what({ title: news.title })}</p>
        <p>{m.admin_no_way_back()}</p>
      </ConfirmAct>
    </>
  );
}
