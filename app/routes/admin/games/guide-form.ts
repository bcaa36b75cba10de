// Reads a guide's form, and applies its buttons before anything is saved.
import { GUIDE_LIMITS, type GuideForm } from "#domain/games/guide.ts";

/** Steps or boxes. */
export type GuideList = keyof GuideForm;
export type GuideItem = GuideForm[GuideList][number];

const EMPTY_LINK = { url: "", label_en: "", label_de: "" };
const EMPTY_ITEM = { title_en: "", title_de: "", text_en: "", text_de: "", links: [EMPTY_LINK] };

/** Reads the fields `steps.0.title_en`, `boxes.1.links.0.url` …; one more than can be saved, so that too many are noticed. */
export function readGuide(form: FormData): GuideForm {
  const field = (name: string) => String(form.get(name) ?? "");
  const readLink = (at: string) => ({
    url: field(`${at}.url`),
    label_en: field(`${at}.label_en`),
    label_de: field(`${at}.label_de`),
  });
  const readItem = (list: GuideList, at: string): GuideItem => ({
    title_en: field(`${at}.title_en`),
    title_de: field(`${at}.title_de`),
    text_en: field(`${at}.text_en`),
    text_de: field(`${at}.text_de`),
    links: placesIn(form, `${at}.links`, "url", GUIDE_LIMITS.links[list] + 1).map(readLink),
  });
  const readList = (list: GuideList) =>
    placesIn(form, list, "title_en", GUIDE_LIMITS.items[list] + 1).map((at) => readItem(list, at));
  return { steps: readList("steps"), boxes: readList("boxes") };
}

/** Lists `<list>.0`, `<list>.1` …, as long as each has its first field. */
function placesIn(form: FormData, list: string, first: string, most: number): string[] {
  const places = Array.from({ length: most }, (_, place) => `${list}.${place}`);
  const end = places.findIndex((at) => !form.has(`${at}.${first}`));
  return end === -1 ? places : places.slice(0, end);
}

const CHANGE = /^(add|remove|up|down):(steps|boxes)(?:\.(\d{1,2}))?(?:\.(links)(?:\.(\d))?)?$/;

/**
 * Applies a button: "add:boxes", "remove:steps.2", "up:steps.2", "down:steps.2", "add:boxes.0.links", "remove:boxes.0.links.1".
 * `focus`: the field by name, or button by value, to focus next. Null: no such button was pressed.
 */
export function changeGuide(guide: GuideForm, change: string): { guide: GuideForm; focus: string } | null {
  const [, act, list, at, ofLinks, linkAt] = CHANGE.exec(change) ?? [];
  if (act === undefined || (list !== "steps" && list !== "boxes")) return null;
  if (ofLinks) {
    const { items, place } = changeItems(guide[list][Number(at)]?.links ?? [], act, Number(linkAt), EMPTY_LINK);
    const changed = guide[list].map((item, other) => (other === Number(at) ? { ...item, links: items } : item));
    return { guide: { ...guide, [list]: changed }, focus: `${list}.${at}.links.${place}.url` };
  }
  const { items, place } = changeItems(guide[list], act, Number(at), EMPTY_ITEM);
  return { guide: { ...guide, [list]: items }, focus: focusAfter(act, list, place, items.length) };
}

/** `place`: new index of the changed item, or of the one before the removed one. */
function changeItems<Item>(items: Item[], act: string, at: number, empty: Item): { items: Item[]; place: number } {
  if (act === "add") return { items: [...items, empty], place: items.length };
  const item = items[at];
  if (!item) return { items, place: 0 };
  const rest = items.filter((_, other) => other !== at);
  if (act === "remove") return { items: rest, place: Math.max(0, at - 1) };
  const place = Math.min(rest.length, Math.max(0, act === "up" ? at - 1 : at + 1));
  return { items: [...rest.slice(0, place), item, ...rest.slice(place)], place };
}

/** Returns the next focus: the same button after a move, until the end is reached; a field after adding or removing. */
function focusAfter(act: string, list: GuideList, place: number, length: number): string {
  if (length === 0) return `add:${list}`;
  if (act === "add" || act === "remove") return `${list}.${place}.title_en`;
  if (place === 0) return `down:${list}.0`;
  return `${place === length - 1 ? "up" : act}:${list}.${place}`;
}
