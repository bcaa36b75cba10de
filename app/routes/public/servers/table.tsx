// Table of game servers: name, status, players, daily curve, and join button.

import { memo } from "react";
import type { ShownStatus } from "#shared/statuses.ts";
import { toggleFavourite } from "../../../favourites.ts";
import { formatNumber } from "../../../language.ts";
import { useLiveRow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { withoutAddress } from "../../../ui/address-box/address-box.tsx";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { CopyButton } from "../../../ui/copy-button/copy-button.tsx";
import { JoinLink } from "../../../ui/join-link/join-link.tsx";
import { Link } from "../../../ui/link/link.tsx";
import { PlayersNow } from "../../../ui/server-card/players-now.tsx";
import { Sparkline } from "../../../ui/sparkline/sparkline.tsx";
import { StarButton } from "../../../ui/star-button/star-button.tsx";
import { StatusSign } from "../../../ui/status-sign/status-sign.tsx";
import { shownStatus } from "./known-values.ts";
import type { ListedServer } from "./server-list.ts";
import css from "./table.module.css";

type Props = {
  servers: ListedServer[];
  /** Sort order: "name", "peak"; "": by players. */
  sort: string;
  /** Null until the browser's are known. */
  favourites: ReadonlySet<number> | null;
  /** Id of the heading that labels the table. */
  labelledBy: string;
};

export function ServerTable({ servers, sort, favourites, labelledBy }: Props) {
  return (
    <table className={css.table} aria-labelledby={labelledBy}>
      <thead>
        <tr>
          <th scope="col" aria-sort={sort === "name" ? "ascending" : undefined}>
            {m.dashboard_server()}
          </th>
          <th scope="col">{m.dashboard_status()}</th>
          <th scope="col" aria-sort={sort === "" ? "descending" : undefined}>
            {m.dashboard_online()}
          </th>
          <th scope="col">{m.dashboard_day()}</th>
          <th scope="col" aria-sort={sort === "peak" ? "descending" : undefined}>
            {m.dashboard_peak()}
          </th>
          <th scope="col">{m.dashboard_way_in()}</th>
        </tr>
      </thead>
      <tbody>
        {servers.map((server) => (
          <ServerRow key={server.server_id} server={server} starred={favourites?.has(server.server_id) ?? false} />
        ))}
      </tbody>
    </table>
  );
}

/**
 * Looks like a small card on phones; the elements stay those of a table, for screen readers. Doesn't rerender on other changes:
 * fifty rows would slow down a phone noticeably.
 */
const ServerRow = memo(({ server, starred }: { server: ListedServer; starred: boolean }) => {
  const row = useLiveRow(server.server_id);
  const status = shownStatus(server, row);
  const peak = row?.user_peak ?? null;
  const about = [server.game_name, server.flavour, ...server.locations].filter(Boolean).join("\u00a0· ");
  return (
    <tr data-status={status}>
      <th scope="row" className={css.who} aria-label={`${server.name}, ${server.game_name}`}>
        <div className={css.whoInside}>
          <StarButton name={server.name} starred={starred} onToggle={() => toggleFavourite(server.server_id)} />
          <div className={css.names}>
            <Link to={`/servers/${server.server_id}`} prefetch="intent" className={css.name}>
              {server.name}
            </Link>
            <span className={css.about}>{about}</span>
          </div>
        </div>
      </th>
      <td className={css.status}>
        <StatusSign status={status} size="s" />
      </td>
      <td className={css.online}>
        <PlayersNow status={status} online={row?.user_online ?? null} max={row?.user_max ?? server.max} />
      </td>
      <td className={css.day}>
        <div className={css.spark}>
          <Sparkline curve={server.curve} />
        </div>
      </td>
      <td className={css.peak}>
        <span className={css.peakLabel} aria-hidden="true">
          {m.fact_peak()}
        </span>
        {peak === null ? (
          <span className={css.quiet}>
            <span aria-hidden="true">–</span>
            <span className="visually-hidden">{m.not_reported_spoken()}</span>
          </span>
        ) : (
          formatNumber(peak)
        )}
      </td>
      <td className={css.way}>
        <WayIn server={server} status={status} />
      </td>
    </tr>
  );
});

/** Copy and Join; for a game without join link, a link to its guide. */
function WayIn({ server, status }: { server: ListedServer; status: ShownStatus }) {
  const { server_id, name, address, join_href } = server;
  if (address === null) return <span className={css.without}>{withoutAddress(status)}</span>;
  return (
    <div className={css.buttons}>
      {/* Without script there is no copy button; the address itself can be selected. */}
      <code className={css.address}>{address}</code>
      <CopyButton text={address} label={m.copy()} accessibleName={m.copy_label({ server: name })} />
      {join_href ? (
        <JoinLink href={join_href} name={name} down={status === "offline"} />
      ) : (
        <ButtonLink
          to={`/servers/${server_id}#how-to`}
          variant="outlined"
          prefetch="intent"
          aria-label={m.how_to_join_label({ server: name })}
        >
          {m.how_to_join()}
        </ButtonLink>
      )}
    </div>
  );
}
