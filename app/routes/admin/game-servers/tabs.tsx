// Head of the pages of one game server.
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { NavTabs } from "../../../ui/tabs/nav-tabs.tsx";

type Props = { server: { server_id: number; name: string; shown: boolean } };

export function GameServerTabs({ server: { server_id, name, shown } }: Props) {
  const at = `/admin/gameservers/${server_id}`;
  return (
    <>
      <AdminHeading title={name} up={{ to: "/admin/gameservers", label: m.admin_gameservers() }}>
        <ButtonLink to={`/admin/gameservers/create?copy=${server_id}`} variant="outlined" size="s">
          {m.admin_duplicate()}
        </ButtonLink>
        {shown && (
          <ButtonLink to={`/servers/${server_id}`} variant="outlined" size="s">
            {m.admin_see_page()}
          </ButtonLink>
        )}
      </AdminHeading>
      <NavTabs
        label={name}
        tabs={[
          { to: `${at}/edit`, label: m.admin_game_details() },
          { to: `${at}/ask-now`, label: m.admin_ask_now() },
          { to: `${at}/heartbeat`, label: m.admin_heartbeat() },
          { to: `${at}/delete`, label: m.admin_delete() },
        ]}
      />
    </>
  );
}
