// Draws a game server's history with uPlot. Loaded on demand, near the chart.
import uPlot from "uplot";
import type { HistoryPoints } from "#shared/history-points.ts";
import type { Locale } from "#shared/locale.ts";
import { clockText, monthText, shortDayText } from "#shared/text/date-text.ts";
import "uplot/dist/uPlot.min.css";
import { withGaps } from "./with-gaps.ts";

const DAY_S = 86_400;

export type DrawnHistory = { resize(): void; destroy(): void };

type Options = {
  /** Times are in the browser's zone. */
  locale: Locale;
  everyS: number;
  /** Reports the point under the pointer: index in `points`, time in seconds, and whether it was down; null: none. */
  onPoint: (point: { place: number | null; at: number; down: boolean } | null) => void;
};

/** Draws `points` into `box` at its size, in the current colours. */
export function drawHistory(box: HTMLElement, points: HistoryPoints, options: Options): DrawnHistory {
  const style = getComputedStyle(box);
  const colour = (name: string) => style.getPropertyValue(name);
  const data = withGaps(points, options.everyS);
  const placeOf = new Map(points.at.map((at, place) => [at, place]));
  const axis: uPlot.Axis = {
    stroke: colour("--ink-3"),
    font: `13px ${colour("--font-text")}`,
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  const number = new Intl.NumberFormat(options.locale);
  const size = () => ({ width: box.clientWidth, height: box.clientHeight });
  const edge: uPlot.Series = { points: { show: false }, width: 0 };
  const chart = new uPlot(
    {
      ...size(),
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
      scales: {
        x: { time: true, range: () => [points.from, points.to] },
        y: { range: (_chart, _low, high) => [0, Math.max(4, Math.ceil((high ?? 0) * 1.1))] },
      },
      axes: [
        {
          ...axis,
          size: 32,
          space: 72,
          values: (_chart, times, _axis, _space, step) => times.map(timeWriter(options.locale, step)),
        },
        {
          ...axis,
          size: 48,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000],
          values: (_chart, values) => values.map((value) => number.format(value)),
        },
      ],
      series: [
        {},
        edge,
        edge,
        {
          stroke: colour("--accent-text"),
          width: 2,
          // A point without neighbours has no line: drawn as a dot.
          points: {
            show: true,
            size: 5,
            fill: colour("--accent-text"),
            filter: (_chart, series) => lonely(data[series] ?? []),
          },
        },
      ],
      bands: [{ series: [1, 2], fill: colour("--accent-soft") }],
      hooks: {
        drawClear: [(drawn) => drawDowns(drawn, points.downs, colour("--status-offline"))],
        setCursor: [
          (drawn) => {
            const { left = -1, idx } = drawn.cursor;
            if (left < 0) return options.onPoint(null);
            const at = drawn.posToVal(left, "x");
            const nearest = idx == null ? undefined : data[0][idx];
            const known = nearest !== undefined && Math.abs(nearest - at) <= Math.max(points.step, options.everyS * 3);
            const time = known ? nearest : at;
            const down = points.downs.some(
              ([began, ended]) => began < time + (known ? points.step : 1) && ended > time,
            );
            options.onPoint({ place: known ? (placeOf.get(nearest) ?? null) : null, at: time, down });
          },
        ],
      },
    },
    data,
    box,
  );
  return { resize: () => chart.setSize(size()), destroy: () => chart.destroy() };
}

/** Draws down times: a tinted column and a solid bar at its foot, at least two pixels wide. */
function drawDowns({ ctx, bbox, valToPos }: uPlot, downs: [number, number][], colour: string) {
  ctx.save();
  ctx.fillStyle = colour;
  for (const [began, ended] of downs) {
    const left = Math.max(bbox.left, valToPos(began, "x", true));
    const width = Math.max(2, Math.min(bbox.left + bbox.width, valToPos(ended, "x", true)) - left);
    ctx.globalAlpha = 0.16;
    ctx.fillRect(left, bbox.top, width, bbox.height);
    ctx.globalAlpha = 1;
    ctx.fillRect(left, bbox.top + bbox.height - 4, width, 4);
  }
  ctx.restore();
}

/** Returns the indexes of values without neighbours. */
function lonely(values: ArrayLike<number | null | undefined>): number[] {
  const places: number[] = [];
  for (let place = 0; place < values.length; place++) {
    if (values[place] != null && values[place - 1] == null && values[place + 1] == null) places.push(place);
  }
  return places;
}

/** Formats an axis whose ticks are `step` seconds apart; midnight among hours shows the day. */
function timeWriter(locale: Locale, step: number): (at: number) => string {
  return (at) => {
    if (step >= 28 * DAY_S) return monthText(at * 1000, locale);
    const clock = clockText(at * 1000, locale);
    return step >= DAY_S || clock === "00:00" ? shortDayText(at * 1000, locale) : clock;
  };
}
