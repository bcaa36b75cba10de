// A game on the home page: its scene, what it is about, and who is on now. The whole card is one link.
import { Link, useViewTransitionState } from "react-router";
import { type PictureFiles, PictureFrame } from "../picture/picture-frame.tsx";
import { PlayerCount } from "../player-count/player-count.tsx";
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
  /** The game is not played here at present. */
  inactive: boolean;
};

export function GameCard({
  to,
  title = "Default Title",
  description = "Default Description",
  image = null,
  playersNow,
  serversOnline,
  serversTotal,
  inactive,
}: Props) {
  const leaving = useViewTransitionState(to);
  return (
    <Link to={to} className={css.card} viewTransition>
      <span className={leaving ? `${css.scene} game-picture` : css.scene}>
        <PictureFrame files={image} alt="" sizes="(width < 43rem) 92vw, 345px" />
      </span>
      <div className={css.words}>
        <h3 className={css.title}>{title}</h3>
        <span className={css.description}>{description}</span>
        <span className={css.live}>
          {inactive ? (
            <StatusSign status="inactive" size="s" />
          ) : serversTotal === 0 ? (
            <span className={css.quiet}>No Server Available</span>
          ) : (
            <>
              <span className={css.players} data-known={playersNow !== null}>
                {playersNow === null && <span className={css.before}>Players</span>}
                <PlayerCount online={playersNow} max={null} />
                {playersNow !== null && (
                  <span className={css.label} aria-hidden="true">
                    playing now
                  </span>
                )}
              </span>
              <span className={css.servers} data-any={serversOnline > 0}>
                {`${serversOnline} of ${serversTotal} online`}
              </span>
            </>
          )}
        </span>
      </div>
    </Link>
  );
}
