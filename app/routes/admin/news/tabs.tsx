// Head of the pages of one news article.
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { NavTabs } from "../../../ui/tabs/nav-tabs.tsx";

type Props = { news: { news_id: number; slug: string; title: string; published: boolean } };

export function NewsTabs({ news: { news_id, slug, title, published } }: Props) {
  return (
    <>
      <AdminHeading title={title} up={{ to: "/admin/news", label: m.admin_news() }}>
        {published && (
          <ButtonLink to={`/news/${slug}`} variant="outlined" size="s">
            {m.admin_see_page()}
          </ButtonLink>
        )}
      </AdminHeading>
      <NavTabs
        label={title}
        tabs={[
          { to: `/admin/news/${news_id}/edit`, label: m.admin_news_texts() },
          { to: `/admin/news/${news_id}/delete`, label: m.admin_delete() },
        ]}
      />
    </>
  );
}
