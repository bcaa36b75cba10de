// Chart of a game server's history with up to four ranges; code and points are loaded near the viewport.

import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { HistoryPoints } from "#shared/history-points.ts";
import { clockText, weekdayText } from "#shared/text/date-text.ts";
import { formatNumber, language } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import type { DrawnHistory } from "./draw-history.ts";
import css from "./history-chart.module.css";
import type { Range } from "./ranges.ts";

type Props = {
  /** Ranges to choose from, starting with the first. */
  ranges: Range[];
  /** Start of the points, in ISO 8601: the chart begins no earlier. Null: unknown. */
  since: string | null;
  /** Address of a range's points, as JSON. */
  address: (range: Range) => string;
  /** Poll interval in seconds. */
  everyS: number;
};
type Point = { place: number | null; at: number; down: boolean };

export function rangeText(range: Range): string {
  switch (range) {
    case "24h":
      return m.history_range_24h();
    case "7d":
      return m.history_range_7d();
    case "30d":
      return m.history_range_30d();
    case "1y":
      return m.history_range_1y();
  }
}

export function HistoryChart({ ranges, since, address, everyS }: Props) {
  const [range, setRange] = useState<Range>("24h");
  const [attempt, setAttempt] = useState(0);
  const [near, setNear] = useState(false);
  const [points, setPoints] = useState<HistoryPoints | "failed" | null>(null);
  const [point, setPoint] = useState<Point | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const addressOf = useEffectEvent(address);

  useEffect(() => {
    if (!frame.current) return;
    const watcher = new IntersectionObserver(([seen]) => seen?.isIntersecting && setNear(true), {
      rootMargin: "400px",
    });
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks the same again
  useEffect(() => {
    if (!near) return;
    const asking = new AbortController();
    const ask = async () => {
      const response = await fetch(addressOf(range), { signal: asking.signal });
      if (!response.ok) throw new Error(`history: ${response.status}`);
      setPoints(begunAt(since, await response.json()));
    };
    ask().catch(() => asking.signal.aborted || setPoints("failed"));
    return () => asking.abort();
  }, [near, range, attempt, since]);

  const shown = points !== null && points !== "failed" && points.at.length > 0 ? points : null;
  useEffect(() => {
    const target = box.current;
    if (!shown || !target) return;
    let drawn: DrawnHistory | undefined;
    let gone = false;
    const draw = async () => {
      const { drawHistory } = await import("./draw-history.ts");
      if (gone) return;
      drawn?.destroy();
      drawn = drawHistory(target, shown, { locale: language(), everyS, onPoint: setPoint });
    };
    const redraw = () => void draw().catch(() => setPoints("failed"));
    redraw();
    const sizes = new ResizeObserver(() => drawn?.resize());
    sizes.observe(target);
    // Redraws in the theme's colours.
    const theme = new MutationObserver(redraw);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      gone = true;
      sizes.disconnect();
      theme.disconnect();
      drawn?.destroy();
      setPoint(null);
    };
  }, [shown, everyS]);

  return (
    <div className={css.chart} ref={frame}>
      {ranges.length > 1 && (
        <fieldset className={css.ranges}>
          <legend className="visually-hidden">{m.history_ranges()}</legend>
          {ranges.map((one) => (
            <label key={one} className={css.range}>
              <input
                type="radio"
                name="history-range"
                value={one}
                checked={one === range}
                onChange={() => setRange(one)}
                className={css.input}
              />
              {rangeText(one)}
            </label>
          ))}
        </fieldset>
      )}
      <div className={css.frame} aria-busy={points === null || (points !== "failed" && points.range !== range)}>
        <div ref={box} className={css.box} role="img" aria-label={m.history_chart_label({ range: rangeText(range) })} />
        {!shown && (
          <div className={css.instead} role="status">
            {points === null && <p>{m.loading()}</p>}
            {points === "failed" && (
              <>
                <p>{m.history_failed()}</p>
                <button type="button" className={css.again} onClick={() => setAttempt(attempt + 1)}>
                  {m.error_again()}
                </button>
              </>
            )}
            {points !== null && points !== "failed" && <p>{m.history_range_empty()}</p>}
          </div>
        )}
      </div>
      <p className={css.reading} aria-hidden="true">
        {shown && point ? pointText(shown, point) : m.history_reading_hint()}
      </p>
      <ul className={css.legend}>
        <li data-sign="average">{m.history_legend_average()}</li>
        <li data-sign="spread">{m.history_legend_spread()}</li>
        <li data-sign="down">{m.history_legend_down()}</li>
        <li data-sign="gap">{m.history_legend_gap()}</li>
      </ul>
    </div>
  );
}

/** Removes the time before the first poll: a short history fills the chart's width. */
function begunAt(since: string | null, points: HistoryPoints): HistoryPoints {
  const began = since === null ? 0 : Math.floor(Date.parse(since) / 1000);
  return { ...points, from: Math.max(points.from, Math.min(began, points.to - points.step)) };
}

/** Describes the point under the pointer in one sentence. */
function pointText(points: HistoryPoints, { place, at, down }: Point): string {
  const day = points.step >= 86_400;
  const time = weekdayText(at * 1000, language()) + (day ? "" : `, ${clockText(at * 1000, language())}`);
  const average = place === null ? null : points.average[place];
  if (place === null || average == null) {
    if (down) return m.history_point_down({ time });
    return place === null ? m.history_point_gap({ time }) : m.history_point_untold({ time });
  }
  const known = {
    time,
    average: formatNumber(average),
    lowest: formatNumber(points.lowest[place] ?? 0),
    highest: formatNumber(points.highest[place] ?? 0),
  };
  return down ? m.history_point_partly_down(known) : m.history_point(known);
}
