// The steps of a guide as a form sends them, and what its buttons do to them before anything is saved.
import { GUIDE_LIMITS, type GuideForm } from "#domain/game-shape.ts";

const FIELDS = ["title_en", "title_de", "text_en", "text_de", "label_en", "label_de", "url"] as const;
/** One more than may be saved, so that too many are seen as too many. */
const READ = GUIDE_LIMITS.steps + 1;

/** Reads the fields `0.title_en`, `0.title_de` … of each step. */
export function readSteps(form: FormData): GuideForm {
  const steps: GuideForm = [];
  for (let place = 0; place < READ && form.has(`${place}.title_en`); place += 1) {
    const field = (name: (typeof FIELDS)[number]) => String(form.get(`${place}.${name}`) ?? "");
    steps.push({
      title_en: field("title_en"),
      title_de: field("title_de"),
      text_en: field("text_en"),
      text_de: field("text_de"),
      label_en: field("label_en"),
      label_de: field("label_de"),
      url: field("url"),
    });
  }
  return steps;
}

/** Does what a button says: "add", "remove:2", "up:2", "down:2". Null: no such button was pressed. */
export function changeSteps(steps: GuideForm, change: string): { steps: GuideForm; focus: number } | null {
  const [, act, at] = /^(add|remove|up|down)(?::(\d{1,3}))?$/.exec(change) ?? [];
  if (!act) return null;
  if (act === "add") {
    const empty = { title_en: "", title_de: "", text_en: "", text_de: "", label_en: "", label_de: "", url: "" };
    return { steps: [...steps, empty], focus: steps.length };
  }
  const place = Number(at);
  const step = steps[place];
  if (!step) return { steps, focus: 0 };
  const rest = steps.filter((_, other) => other !== place);
  if (act === "remove") return { steps: rest, focus: Math.max(0, place - 1) };
  const to = Math.min(rest.length, Math.max(0, act === "up" ? place - 1 : place + 1));
  return { steps: [...rest.slice(0, to), step, ...rest.slice(to)], focus: to };
}
