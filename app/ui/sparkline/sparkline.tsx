// Sparkline of players in the last 24 hours. Rendered with the page, without script.
import { formatNumber } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { CollectingSince } from "./collecting-since.tsx";
import { type Collecting, type Curve, drawCurve, HEIGHT } from "./draw-curve.ts";
import css from "./sparkline.module.css";

/** Null: unknown, drawn as a dotted ground and never as zeros. Says so while there is too little for a line. */
export function Sparkline({ curve }: { curve: Curve | Collecting | null }) {
  if (curve && "since" in curve) return <CollectingSince at={curve.since} />;
  const drawn = curve && drawCurve(curve);
  return (
    <svg viewBox={`0 0 47 ${HEIGHT}`} preserveAspectRatio="none" role="img" className={css.sparkline}>
      <title>{curve ? locale(curve) : m.day_unknown()}</title>
      {drawn ? (
        <>
          <path d={drawn.area} className={css.area} />
          {drawn.unknown && <path d={drawn.unknown} className={css.unknown} />}
          {drawn.down && <path d={drawn.down} className={css.down} />}
          <path d={drawn.line} className={css.line} />
        </>
      ) : (
        <path d={`M0 ${HEIGHT}H47`} className={css.unknown} />
      )}
    </svg>
  );
}

function locale({ line, low, high }: Curve): string {
  const players = low === high ? formatNumber(low) : m.day_range({ low: formatNumber(low), high: formatNumber(high) });
  return /[.!]/.test(line) ? m.day_players_gaps({ players }) : m.day_players({ players });
}
