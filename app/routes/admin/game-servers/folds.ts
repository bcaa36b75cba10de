// Summarises in one line what is set in a fold of the game server form; in the browser too.
import type { ShownSecrets } from "#domain/game-servers/adapter-secrets.ts";
import { ADAPTER_OPTIONS, ADAPTER_SECRETS } from "#shared/adapters.ts";
import { formatNumber } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { wallIn } from "../wall-time.ts";
import { type GameServerTexts, lifecycleText } from "./fields.ts";
import { greetingText, inputName, optionLabels } from "./option-texts.ts";

/** Fields with several inputs, for the chosen adapter only. */
type Several = "adapter_options" | "adapter_secrets";

/** Fields that a fold may contain. */
export type Folded = Exclude<keyof GameServerTexts, "options"> | Several;

/** Longest part of a value that is shown. */
const MOST_SHOWN = 40;

/** Summarises fields in one line; of the `kept` secrets only that they exist. */
export function saidOf(
  fields: readonly Folded[],
  values: GameServerTexts,
  labels: Record<Exclude<Folded, Several>, string>,
  kept: ShownSecrets,
  timeZone: string,
): string {
  const parts = fields.flatMap((name) => {
    if (name === "adapter_options") return optionParts(values);
    if (name === "adapter_secrets") return secretParts(values, kept);
    const value = valueText(name, values, timeZone);
    if (value === "") return [];
    return [name === "lifecycle" ? value : m.admin_fold_part({ label: labels[name], value })];
  });
  return parts.join(" · ") || m.admin_fold_nothing();
}

function valueText(name: Exclude<Folded, Several>, values: GameServerTexts, timeZone: string): string {
  if (name === "lifecycle") return lifecycleText(values.lifecycle);
  if (name === "links") return values.links.length > 0 ? formatNumber(values.links.length) : "";
  // Default values are not mentioned.
  if (name === "show_details") return values.show_details ? "" : m.admin_fold_no();
  if (name === "player_list") return values.player_list ? m.admin_fold_yes() : "";
  // Typed and stored for later; not shown outside maintenance.
  if (name === "maintenance_until")
    return values.lifecycle === "maintenance" ? wallIn(timeZone, values[name]).replace("T", " ") : "";
  if (name === "mods") {
    const count = values.mods.split("\n").filter((line) => line.trim() !== "").length;
    return count > 0 ? formatNumber(count) : "";
  }
  return short(values[name]);
}

/** Of the chosen adapter only: options of others aren't stored. */
const optionParts = (values: GameServerTexts): string[] =>
  ADAPTER_OPTIONS.filter(({ adapter }) => adapter === values.adapter).flatMap(({ name, kind }) => {
    const value = values.options[inputName(name)];
    const label = optionLabels()[inputName(name)] ?? name;
    if (value === true) return [label];
    if (typeof value !== "string" || value === "") return [];
    return [m.admin_fold_part({ label, value: kind === "greeting" ? greetingText(value) : short(value) })];
  });

const secretParts = (values: GameServerTexts, kept: ShownSecrets): string[] =>
  ADAPTER_SECRETS.filter(({ adapter, name }) => adapter === values.adapter && kept[name]).map(({ name }) =>
    m.admin_secret({ name }),
  );

const short = (text: string): string => {
  const line = text.trim().replace(/\s+/g, " ");
  const signs = [...line];
  return signs.length > MOST_SHOWN ? `${signs.slice(0, MOST_SHOWN - 1).join("")}…` : line;
};
