// From a plan to files: a drawn scene in the widths and formats of the painted ones.
import sharp from "sharp";
import { encodeWithin, tinyPlaceholder } from "./encode.ts";
import { develop, type Pixels, printAt } from "./film.ts";
import { drawScene, type ScenePlan } from "./named-scene.ts";
import { CARD_BUDGETS, CARD_GRAIN } from "./plan.ts";

const FORMATS = ["avif", "webp"] as const;

/** A drawn scene. Sizes in px; `placeholder` is a tiny data: address. */
export type SceneFiles = {
  width: number;
  height: number;
  placeholder: string;
  files: { width: number; format: (typeof FORMATS)[number]; bytes: Uint8Array }[];
};

/** Draws a plan and encodes it. The same plan gives the same bytes wherever the same encoders run on one thread each. */
export async function makeSceneFiles(plan: ScenePlan): Promise<SceneFiles> {
  const drawn = await develop(drawScene(plan));
  const film = plan.mirrored ? await mirror(drawn) : drawn;
  const prints = await Promise.all(
    CARD_BUDGETS.map(async ([width, budget]) => {
      const print = await printAt(film, width, CARD_GRAIN);
      return FORMATS.map(async (format) => ({
        width,
        format,
        bytes: await encodeWithin(print, format, format === "avif" ? budget : Math.round(budget * 1.35), "quick"),
      }));
    }),
  );
  const [files, placeholder] = await Promise.all([Promise.all(prints.flat()), tinyPlaceholder(film)]);
  return { width: film.width, height: film.height, placeholder, files };
}

async function mirror({ data, width, height }: Pixels): Promise<Pixels> {
  return {
    data: await sharp(data, { raw: { width, height, channels: 3 } })
      .flop()
      .raw()
      .toBuffer(),
    width,
    height,
  };
}
