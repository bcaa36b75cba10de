// The step of the game servers.
import { m } from "../../../paraglide/messages.js";
import { ButtonLink } from "../../../ui/button/button.tsx";

export function ServersStep() {
  return (
    <div>
      <ButtonLink to="/admin/gameservers/create">{m.admin_server_create()}</ButtonLink>
    </div>
  );
}
