import { paintLayer } from "../layer.ts";
import { shape } from "../outline.ts";
import { define, paint, type Still } from "../still.ts";

/** An obelisk in the sky: a long faceted blade over its own light. */
export function paintObelisk(still: Still, x: number, y: number, s: number): void {
  const at = (text: string) => shape(text, x, y, s);
  const beam = define(
    still,
    (id) =>
      `<linearGradient id="${id}" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#7dffb0" stop-opacity=".55"/><stop offset="1" stop-color="#7dffb0" stop-opacity="0"/></linearGradient>`,
  );
  const soft = define(
    still,
    (id) =>
      `<filter id="${id}" x="-300%" y="-20%" width="700%" height="140%"><feGaussianBlur stdDeviation="${s * 0.28}"/></filter>`,
  );
  paint(
    still,
    `<g style="mix-blend-mode:screen"><path d="${at("-.35,4.6 .35,4.6 .85,15 -.85,15")}" fill="${beam}" filter="${soft}"/></g>`,
  );
  const left = at("0,-6.2 -1.05,-3.6 -1.25,1.2 -.3,4.8 0,4.2");
  const right = at("0,-6.2 1.05,-3.6 1.25,1.2 .3,4.8 0,4.2");
  const wings = [at("-1.7,-1.2 -1.45,-2.8 -1.4,1.6 -1.75,2.6"), at("1.7,-1.2 1.45,-2.8 1.4,1.6 1.75,2.6")];
  paintLayer(still, [left, ...wings], {
    tone: "#17281d",
    haze: "#3d4a30",
    from: y - 6 * s,
    to: y + 5 * s,
    bleed: 0.12,
  });
  paintLayer(still, [right], {
    tone: "#223528",
    haze: "#7a6234",
    from: y - 6 * s,
    to: y + 5 * s,
    bleed: 0.45,
    rim: 0.8,
    rimWidth: 3,
    reach: still.height * 0.8,
  });
  paint(
    still,
    `<path d="${at("-.07,-4.6 .07,-4.6 .1,3.6 -.1,3.6")}" fill="#8dffbd" opacity=".85"/><path d="${at("-.16,-4.6 .16,-4.6 .2,4 -.2,4")}" fill="#4dff98" opacity=".6" filter="${soft}"/>`,
  );
}
