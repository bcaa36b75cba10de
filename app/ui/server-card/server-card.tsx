// Card of a game server for players: status, players, version, how to join.
import type { ReactNode } from "react";
import type { PlanKind } from "#shared/plans.ts";
import type { ShownStatus, UnknownReason as UnknownReasonCode } from "#shared/statuses.ts";
import { formatNumber } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { AddressBox } from "../address-box/address-box.tsx";
import { Countdown } from "../countdown/countdown.tsx";
import { EntryNeeds } from "../entry-needs/entry-needs.tsx";
import { PageIcon } from "../icon/more-icons.tsx";
import { Link } from "../link/link.tsx";
import { type PictureFiles, PictureFrame } from "../picture/picture-frame.tsx";
import { ShareLink } from "../share-link/share-link.tsx";
import type { SharedServer } from "../share-link/share-text.ts";
import type { Collecting, Curve } from "../sparkline/draw-curve.ts";
import { Sparkline } from "../sparkline/sparkline.tsx";
import { ReachableFrom } from "../status-sign/reachable-from.tsx";
import { StatusSign } from "../status-sign/status-sign.tsx";
import { UnknownReason } from "../status-sign/unknown-reason.tsx";
import { ModList } from "./mod-list.tsx";
import { PlayersNow } from "./players-now.tsx";
import styles from "./server-card.module.css";

/** Players or slots from which the figure gets smaller, to fit a phone. */
const CROWD = 1_000;

export type ServerCardProps = {
  /** The game server's page. */
  href: string;
  name: string;
  description: string | null;
  status: ShownStatus;
  /** Locations of outposts that reach it while the site doesn't. */
  reachableFrom: string[] | undefined;
  /** Why its status is unknown, if the last check says. */
  unknownReason: UnknownReasonCode | undefined;
  /** Null: not reported. */
  online: number | null;
  max: number | null;
  peak: number | null;
  version: string | null;
  /** Vanilla, Modded, Anarchy … */
  flavour: string | null;
  mods: string[];
  locations: string[];
  address: string | null;
  joinHref: string | null;
  /** Its announced or running plan; null: none. */
  plan: { kind: PlanKind; starts_at: string; ends_at: string } | null;
  /** Other requirements for joining; null: none. */
  accessNote: string | null;
  /** Whether the game server itself requires a password. */
  asksForPassword: boolean;
  /** For sharing: with join code, and password if the reader may see it. */
  shared: SharedServer;
  /** The game's; null: none. */
  image: PictureFiles | null;
  /** Last 24 hours; null: no figures. */
  curve: Curve | Collecting | null;
};

export function ServerCard(props: ServerCardProps) {
  const { href, name, description, status, online, max, peak, version, flavour, mods, locations } = props;
  const joinCode = props.shared.join_code;
  const inactive = status === "inactive";
  const closed = inactive || status === "maintenance";
  return (
    <article className={styles.card} data-status={status}>
      <div className={styles.inside}>
        <div className={styles.who} data-image={props.image ? "" : undefined}>
          {props.image && (
            <span className={styles.image}>
              <PictureFrame files={props.image} alt="" sizes="80px" />
            </span>
          )}
          <p className={styles.top}>
            <StatusSign status={status} size="s" />
            {flavour && <span className={styles.flavour}>{flavour}</span>}
          </p>
          <h3 className={styles.name}>
            <Link to={href} prefetch="intent">
              {name}
              <PageIcon shape="arrow-right" size={18} className={styles.arrow} />
            </Link>
          </h3>
          {description && <p className={styles.description}>{description}</p>}
          {props.plan && (
            <p>
              <Countdown kind={props.plan.kind} startsAt={props.plan.starts_at} endsAt={props.plan.ends_at} />
            </p>
          )}
          {(props.unknownReason ?? props.reachableFrom) && (
            <div className={styles.elsewhere}>
              <UnknownReason reason={props.unknownReason} />
              <ReachableFrom places={props.reachableFrom} />
            </div>
          )}
        </div>
        {!closed && (
          <p className={styles.players} data-crowd={Math.max(online ?? 0, max ?? 0) >= CROWD || undefined}>
            <PlayersNow status={status} online={online} max={max} size="l" />
            {/* For screen readers the figure itself includes "players". */}
            <span className={styles.label} aria-hidden={online !== null}>
              {m.players_now_after()}
            </span>
          </p>
        )}
        {!inactive && (
          <div className={styles.day}>
            <div className={styles.spark}>
              <Sparkline curve={props.curve} />
            </div>
            <span className={styles.label} aria-hidden="true">
              {m.dashboard_day()}
            </span>
          </div>
        )}
        <dl className={styles.facts}>
          <Fact name={m.fact_version()}>
            {version ? <bdi>{version}</bdi> : <span className={styles.quiet}>{m.not_reported()}</span>}
          </Fact>
          {locations.length > 0 && <Fact name={m.fact_location()}>{locations.join(", ")}</Fact>}
          {peak !== null && <Fact name={m.fact_peak()}>{formatNumber(peak)}</Fact>}
          {mods.length > 0 && (
            <Fact name={m.fact_mods()} wide>
              <ModList mods={mods} />
            </Fact>
          )}
        </dl>
        <div className={styles.way}>
          {(props.address || !joinCode) && (
            <AddressBox name={name} address={props.address} joinHref={props.joinHref} status={status}>
              <ShareLink server={props.shared} small />
            </AddressBox>
          )}
          {(props.address || joinCode) && (
            <EntryNeeds
              name={name}
              joinCode={joinCode}
              password={props.shared.password}
              access={props.shared.password_access}
              note={props.accessNote}
              asks={props.asksForPassword}
            />
          )}
        </div>
      </div>
    </article>
  );
}

function Fact({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? styles.wide : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
