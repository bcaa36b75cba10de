// A game on the home page: picture, description and current players. The whole card is one link.
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
  /** Current players over all the game's servers; null: none reports any. */
  playersNow: number | null;
  serversOnline: number;
  /** Without inactive servers. */
  serversTotal: number;
  /** Last 24 hours; null: no server reports players, and nothing is drawn. */
  curve?: Curve | Collecting | null;
  /** The game isn't played here now. */
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
