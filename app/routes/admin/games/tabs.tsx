// Head of the pages of one game.
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { NavTabs } from "../../../ui/tabs/nav-tabs.tsx";

type Props = { game: { game_id: number; form: { game_name: string; game_slug: string; published: boolean } } };

export function GameTabs({ game: { game_id, form } }: Props) {
  const at = `/admin/games/${game_id}`;
  return (
    <>
      <AdminHeading title={form.game_name} up={{ to: "/admin/games", label: m.admin_games() }}>
        {form.published && (
          <ButtonLink to={`/games/${form.game_slug}`} variant="outlined" size="s">
            {m.admin_see_page()}
          </ButtonLink>
        )}
      </AdminHeading>
      <NavTabs
        label={form.game_name}
        tabs={[
          { to: `${at}/edit`, label: m.admin_game_details() },
          { to: `${at}/guide`, label: m.admin_game_guide() },
          { to: `${at}/picture`, label: m.admin_game_picture() },
          { to: `${at}/delete`, label: m.admin_delete() },
        ]}
      />
    </>
  );
}
