// What waits to be told, what fails and what was given up.
import { countFailedMails } from "#domain/site/health.ts";
import { appContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { formatNumber } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { Tile, Tiles } from "../../../ui/admin-tiles/admin-tiles.tsx";
import type { Route } from "./+types/overview";
import { NotificationTabs } from "./tabs.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  requirePermission({ context, request }, "settings:write");
  return { mails: await countFailedMails(context.get(appContext).db) };
}

export default function Overview({ loaderData: { mails } }: Route.ComponentProps) {
  return (
    <>
      <NotificationTabs />
      <Tiles>
        <Tile label={m.admin_notify_failing()} figure={formatNumber(mails.retrying)} act={mails.retrying > 0} />
        <Tile
          label={m.admin_notify_dead()}
          figure={formatNumber(mails.given_up)}
          act={mails.given_up > 0}
          note={mails.last_error ?? undefined}
        />
      </Tiles>
    </>
  );
}
