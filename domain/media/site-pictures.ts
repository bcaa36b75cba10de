// The brand's own pictures, stored in the site's settings: the logo, and the home page's slides.
import { sql } from "drizzle-orm";
import type { Sharp } from "sharp";
import type { Db } from "#db/client.ts";
import { siteSettings } from "#db/schema/index.ts";
import type { ObjectStorage, StorageError } from "#outside/object-storage.ts";
import { type Actor, recordAudit } from "../site/audit.ts";
import { lockSettings, readSiteSettings, type SiteSettings, storeSettings } from "../site/settings.ts";
import {
  keysOf,
  logoKeyOf,
  type MediaFile,
  makePicture,
  newMediaId,
  removeFiles,
  SLIDE,
  SLIDE_PORTRAIT,
  storeFiles,
} from "./files.ts";
import { decodeImage, type ImageRefusal } from "./image-decoder.ts";

/** The places for pictures of the brand. */
export const PICTURE_PLACES = ["logo", "slide-1", "slide-2", "slide-3"] as const;
export type PicturePlace = (typeof PICTURE_PLACES)[number];
export type SitePictureRefusal = ImageRefusal | "too-small" | "storage";

type Logo = NonNullable<SiteSettings["logo"]>;
type Slide = NonNullable<SiteSettings["slides"][number]>;

/** The box a logo is fitted into, and the minimum of each side afterwards, in px. */
const LOGO = { width: 512, height: 128, least: 32 };
const LIMIT_S = 10;

type Made<Picture> = { picture: Picture; files: MediaFile[] };
type Pictures = Pick<SiteSettings, "logo" | "slides">;
type Change = { files: MediaFile[]; apply: (pictures: Pictures) => Pictures };

/** Fits a logo into its box, keeping transparency; null: too small or too narrow. */
async function makeLogo(open: () => Sharp): Promise<Made<Logo> | null> {
  const { data: bytes, info } = await open()
    .autoOrient()
    .resize(LOGO.width, LOGO.height, { fit: "inside", withoutEnlargement: true })
    .webp({ quality: 90 })
    .timeout({ seconds: LIMIT_S })
    .toBuffer({ resolveWithObject: true });
  if (Math.min(info.width, info.height) < LOGO.least) return null;
  const id = newMediaId();
  return {
    picture: { id, width: info.width, height: info.height },
    files: [{ key: logoKeyOf(id), type: "image/webp", bytes }],
  };
}

/** A slide has a landscape version for wide screens and a portrait one for phones. */
async function makeSlide(open: () => Sharp): Promise<Made<Slide> | null> {
  const landscape = await makePicture(open, SLIDE);
  const portrait = landscape && (await makePicture(open, SLIDE_PORTRAIT));
  if (!portrait) return null;
  return {
    picture: { landscape: landscape.picture, portrait: portrait.picture },
    files: [...landscape.files, ...portrait.files],
  };
}

type Decoded<Picture> = { ok: true; made: Made<Picture> } | { ok: false; reason: SitePictureRefusal };

const decode = <Picture>(bytes: Buffer, make: (open: () => Sharp) => Promise<Made<Picture> | null>) =>
  decodeImage<Decoded<Picture>>(bytes, async (open) => {
    const made = await make(open);
    return made ? { ok: true, made } : { ok: false, reason: "too-small" };
  });

const withSlide = (place: PicturePlace, slide: Slide | null) => (pictures: Pictures) => ({
  ...pictures,
  slides: pictures.slides.map((each, index) => (`slide-${index + 1}` === place ? slide : each)),
});

async function changeOf(
  place: PicturePlace,
  bytes: Buffer | null,
): Promise<{ ok: true; change: Change } | { ok: false; reason: SitePictureRefusal }> {
  if (place === "logo") {
    const outcome = bytes && (await decode(bytes, makeLogo));
    if (outcome && !outcome.ok) return outcome;
    const logo = outcome?.made.picture ?? null;
    return { ok: true, change: { files: outcome?.made.files ?? [], apply: (pictures) => ({ ...pictures, logo }) } };
  }
  const outcome = bytes && (await decode(bytes, makeSlide));
  if (outcome && !outcome.ok) return outcome;
  const slide = outcome?.made.picture ?? null;
  return { ok: true, change: { files: outcome?.made.files ?? [], apply: withSlide(place, slide) } };
}

/**
 * Sets a file as the picture of a place; null restores the built-in one. The commit notifies every web process. `onStorageError`
 * gets errors for the log.
 */
export async function setSitePicture(
  { db, storage }: { db: Db; storage: ObjectStorage },
  actor: Actor,
  place: PicturePlace,
  bytes: Buffer | null,
  onStorageError: (error: StorageError) => void,
): Promise<{ ok: true } | { ok: false; reason: SitePictureRefusal }> {
  const outcome = await changeOf(place, bytes);
  if (!outcome.ok) return outcome;
  const { files, apply } = outcome.change;
  if (!(await storeFiles(storage, files, onStorageError))) return { ok: false, reason: "storage" };
  const unused = await db.transaction(async (tx) => {
    await lockSettings(tx);
    const { logo, slides } = await readSiteSettings(tx);
    const before = { logo, slides };
    const after = apply(before);
    const key = place === "logo" ? "logo" : "slides";
    const id = { before: idAt(before, place), after: idAt(after, place) };
    if (id.before === id.after) return null;
    const value = after[key];
    if (value === null) await tx.delete(siteSettings).where(sql`${siteSettings.setting_key} = ${key}`);
    else await storeSettings(tx, [{ setting_key: key, setting_value: value }]);
    const name = place.replace("-", "_");
    await recordAudit(tx, {
      what: "settings-changed",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "settings", id: "" },
      details: { before: { [name]: id.before }, after: { [name]: id.after } },
    });
    return before;
  });
  if (unused) await removeFiles(storage, keysAt(unused, place), onStorageError);
  return { ok: true };
}

const slideAt = ({ slides }: Pictures, place: PicturePlace) => slides[Number(place.slice(-1)) - 1];

const idAt = (pictures: Pictures, place: PicturePlace): string | null =>
  (place === "logo" ? pictures.logo?.id : slideAt(pictures, place)?.landscape.id) ?? null;

/** The picture ids of a place: a slide has a landscape and a portrait one. */
export function pictureIdsAt(pictures: Pictures, place: PicturePlace): string[] {
  if (place === "logo") return pictures.logo ? [pictures.logo.id] : [];
  const slide = slideAt(pictures, place);
  return slide ? [slide.landscape.id, slide.portrait.id] : [];
}

function keysAt(pictures: Pictures, place: PicturePlace): string[] {
  if (place === "logo") return pictures.logo ? [logoKeyOf(pictures.logo.id)] : [];
  const slide = slideAt(pictures, place);
  return slide ? [...keysOf(slide.landscape.id, SLIDE), ...keysOf(slide.portrait.id, SLIDE_PORTRAIT)] : [];
}

/** True if the brand uses a picture of this id. */
export const isSitePicture = ({ logo, slides }: Pictures, id: string): boolean =>
  logo?.id === id || slides.some((slide) => slide?.landscape.id === id || slide?.portrait.id === id);
