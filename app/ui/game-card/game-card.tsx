// A game on the home page: its scene, what it is about, and who is on now. The whole card is one link.
import { formatNumber } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { Link } from "../link/link.tsx";
import { type PictureFiles, PictureFrame } from "../picture/picture-frame.tsx";
import { TravellingPicture } from "../picture/travelling-picture.tsx";
import { PlayerCount } from "../player-count/player-count.tsx";
import type { Collecting, Curve } from "../sparkline/draw-curve.ts";
import { Sparkline } from "../sparkline/sparkline.tsx";
import { StatusSign } from "../status-sign/status-sign.tsx";
import css from "./game-card.module.css";

type Props = {
  to: string;
  title?: string;
  description?: string;
  /** Null: the default picture. */
  image?: PictureFiles | null;
  /** Known players now over all game servers of the game; null: nobody reports any. */
  playersNow: number | null;
  serversOnline: number;
  /** Without inactive ones. */
  serversTotal: number;
  /** Its last 24 hours; null: nobody reports any, and nothing is drawn. */
  curve?: Curve | Collecting | null;
  /** The game is not played here at present. */
  inactive: boolean;
};

export function GameCard({
  to,
  title = m.card_title_default(),
  description = m.card_description_default(),
  image = null,
  playersNow,
  serversOnline,
  serversTotal,
  curve = null,
  inactive,
}: Props) {
  return (
    <Link to={to} className={css.card}>
      <TravellingPicture game={to}>
        <span className={css.scene}>
          <PictureFrame files={image} alt="" sizes="(width < 42rem) 180px, 345px" />
        </span>
      </TravellingPicture>
      <div className={css.words}>
        <h3 className={css.title}>{title}</h3>
        <span className={css.description}>{description}</span>
        {curve && !inactive && (
          <span className={css.day}>
            <Sparkline curve={curve} />
          </span>
        )}
        <span className={css.live}>
          {inactive ? (
            <StatusSign status="inactive" size="s" />
          ) : serversTotal === 0 ? (
            <span className={css.quiet}>{m.no_server_available()}</span>
          ) : (
            <>
              <span className={css.players} data-known={playersNow !== null}>
                {playersNow === null && <span className={css.before}>{m.players_before()}</span>}
                <PlayerCount online={playersNow} max={null} />
                {playersNow !== null && (
                  <span className={css.label} aria-hidden="true">
                    {m.playing_now_after()}
                  </span>
                )}
              </span>
              <span className={css.servers} data-any={serversOnline > 0}>
                {m.servers_of_online({ online: formatNumber(serversOnline), total: formatNumber(serversTotal) })}
              </span>
            </>
          )}
        </span>
      </div>
    </Link>
  );
}
