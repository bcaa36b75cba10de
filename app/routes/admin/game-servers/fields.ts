// Handles a game server's form as texts, in the browser too: as typed, and with the doctor's findings.
import type { Texts } from "#domain/form-text.ts";
import type { GameServerFields } from "#domain/game-servers/fields.ts";
import { ADAPTER_FACTS, ADAPTER_IDS } from "#shared/adapters.ts";
import { m } from "../../../paraglide/messages.js";
import type { TakenValues } from "../../../ui/doctor-result/doctor-result.tsx";
import { type OptionTexts, optionTexts } from "./option-texts.ts";

export type LinkTexts = { name: string; label_en: string; label_de: string; url: string };

/** Ticks are booleans, everything else is text; options and links have inputs of their own. */
export type GameServerTexts = Texts<Omit<GameServerFields, "adapter_options" | "links">> & {
  options: OptionTexts;
  links: LinkTexts[];
};

/** Fields that are yes or no. */
export type TickName = {
  [Name in keyof GameServerTexts]: GameServerTexts[Name] extends boolean ? Name : never;
}[keyof GameServerTexts];

/** More than can be saved, so that too many are noticed. */
const MOST_LINKS_READ = 20;

/** Reads the sent fields that `like` has; ignores the rest. */
export function readFields(form: FormData, { links: _, options, ...plain }: GameServerTexts): GameServerTexts {
  const read = <Like extends Record<string, string | boolean>>(like: Like) =>
    Object.fromEntries(
      Object.entries(like).map(([name, value]) => [
        name,
        typeof value === "boolean" ? form.has(name) : String(form.get(name) ?? ""),
      ]),
    ) as Like;
  return { ...read(plain), options: read(options), links: readLinks(form) };
}

/** Reads `links.0.name`, `links.0.url` …; skips empty ones. */
function readLinks(form: FormData): LinkTexts[] {
  return Array.from({ length: MOST_LINKS_READ }, (_, place) => {
    const part = (name: keyof LinkTexts) => String(form.get(`links.${place}.${name}`) ?? "").trim();
    return { name: part("name"), label_en: part("label_en"), label_de: part("label_de"), url: part("url") };
  }).filter((link) => Object.values(link).some((value) => value !== ""));
}

const text = (value: string | number | null) => (value === null ? "" : String(value));

type Game = { game_id: number; game_name: string; join_link: string | null };

/** Returns the initial join link of a game's new server. */
export const joinLinkOf = (gameId: string, games: Game[]): string =>
  games.find(({ game_id }) => String(game_id) === gameId)?.join_link ?? "";

/** Puts the doctor's findings into the form; keeps names that an admin has typed. */
export function withTaken(fields: GameServerTexts, taken: TakenValues, games: Game[]): GameServerTexts {
  const told = taken.game?.toLowerCase() ?? "";
  const game = games.find(({ game_name }) => told !== "" && game_name.toLowerCase() === told);
  const game_id = fields.game_id || text(game?.game_id ?? null);
  return {
    ...fields,
    adapter: taken.adapter,
    options: optionTexts(taken.adapter_options),
    host: text(taken.host),
    game_port: text(taken.game_port),
    query_port: text(taken.query_port),
    game_id,
    join_link: fields.join_link || joinLinkOf(game_id, games),
    server_name: fields.server_name || text(taken.name),
    version: text(taken.version) || fields.version,
    user_max: fields.user_max || text(taken.max_players),
  };
}

/** Reads the doctor's findings from the address, for use without script; null if it has none. */
export function takenFromAddress(search: URLSearchParams): TakenValues | null {
  const adapter = ADAPTER_IDS.find((known) => known === search.get("adapter"));
  const host = search.get("host") || null;
  if (!adapter || (host === null && ADAPTER_FACTS[adapter].needs.address)) return null;
  const number = (name: string) => (/^\d{1,6}$/.test(search.get(name) ?? "") ? Number(search.get(name)) : null);
  return {
    adapter,
    adapter_options: readOptions(search.get("adapter_options")),
    host: host?.slice(0, 253) ?? null,
    game_port: number("game_port"),
    query_port: number("query_port"),
    game: search.get("game_name"),
    name: search.get("server_name"),
    version: search.get("version"),
    max_players: number("user_max"),
  };
}

function readOptions(json: string | null): TakenValues["adapter_options"] {
  try {
    const options: unknown = JSON.parse(json ?? "{}");
    return typeof options === "object" && options !== null ? options : {};
  } catch {
    return {};
  }
}

const VISIBILITY_TEXTS: Record<string, () => string> = {
  public: m.admin_public,
  members: m.admin_members,
  hidden: m.admin_hidden,
};

/** Returns the text of a visibility. */
export const visibilityText = (visibility: string): string => VISIBILITY_TEXTS[visibility]?.() ?? visibility;

const LIFECYCLE_TEXTS: Record<string, () => string> = {
  active: m.admin_active,
  maintenance: m.status_maintenance,
  retired: m.status_inactive,
};

/** Returns the text of a lifecycle. */
export const lifecycleText = (lifecycle: string): string => LIFECYCLE_TEXTS[lifecycle]?.() ?? lifecycle;
