// The fields of a game server's form as texts: read from a form, from what is stored, and from what the doctor found.
import type { GameServerForm, GivenGameServer } from "#domain/game-servers/shape.ts";
import { ASKED_ADAPTERS } from "#shared/adapters.ts";
import { m } from "../../../paraglide/messages.js";
import { optionLabel } from "../../../ui/adapter-text/adapter-text.ts";
import type { TakenValues } from "../../../ui/doctor-result/doctor-result.tsx";

/** Ticks are booleans, everything else is text. */
export type GameServerFields = {
  [Name in keyof GivenGameServer]: GivenGameServer[Name] extends boolean ? boolean : string;
};

const TICKS = ["count_from_player_list", "trust_record"] as const;

/** A new game server: on the site as soon as it is saved. */
export const NEW_GAME_SERVER: GameServerFields = {
  game_id: "",
  server_name: "",
  user_max: "",
  visibility: "public",
  server_locations: "",
  lifecycle: "active",
  maintenance_until: "",
  host: "",
  game_port: "",
  query_port: "",
  adapter: "a2s",
  count_from_player_list: false,
  trust_record: false,
  expect: "",
  expect_prefix: "",
  gamedig_type: "",
  poll_interval_s: "",
  version: "",
  flavour: "",
  mods: "",
  join_link: "",
  links: "",
  description_en: "",
  description_de: "",
};

/** More than may be saved, so that too many are seen. */
const MOST_LINKS_READ = 20;

const NAMES = Object.keys(NEW_GAME_SERVER) as (keyof GameServerFields)[];
const isTick = (name: string): name is (typeof TICKS)[number] => TICKS.includes(name as (typeof TICKS)[number]);

/** What a form sent, field by field; everything else in it is ignored. */
export function readFields(form: FormData): GameServerFields {
  const read = NAMES.map((name) => [name, isTick(name) ? form.has(name) : String(form.get(name) ?? "")]);
  return { ...Object.fromEntries(read), links: readLinks(form) };
}

/** The inputs of one link, in the order of the field's parts. */
const LINK_PARTS = ["name", "label_en", "label_de", "url"] as const;
export type LinkPart = (typeof LINK_PARTS)[number];

/** Reads `links.0.name`, `links.0.url` …: a line a link, parts with tabs between. One that says nothing is left out. */
function readLinks(form: FormData): string {
  const part = (name: string) =>
    String(form.get(name) ?? "")
      .replace(/\s+/g, " ")
      .trim();
  return Array.from({ length: MOST_LINKS_READ }, (_, place) => LINK_PARTS.map((name) => part(`links.${place}.${name}`)))
    .filter((parts) => parts.some((words) => words !== ""))
    .map((parts) => parts.join("\t"))
    .join("\n");
}

/** The links of the field as rows of parts. */
export function linksOf(field: string): Record<LinkPart, string>[] {
  if (field === "") return [];
  return field.split("\n").map((row) => {
    const [name = "", label_en = "", label_de = "", url = ""] = row.split("\t");
    return { name, label_en, label_de, url };
  });
}

const text = (value: string | number | null) => (value === null ? "" : String(value));

/** What is stored, as the form shows it. Times are in UTC. */
export function fieldsOf(stored: GameServerForm): GameServerFields {
  return {
    ...stored,
    game_id: text(stored.game_id),
    user_max: text(stored.user_max),
    server_locations: stored.server_locations.join(", "),
    maintenance_until: stored.maintenance_until?.slice(0, 16) ?? "",
    game_port: text(stored.game_port),
    query_port: text(stored.query_port),
    ...optionFields(stored.adapter_options),
    poll_interval_s: text(stored.poll_interval_s),
    mods: stored.mods.join("\n"),
    links: stored.links
      .map(({ name, label_en, label_de, url }) => [name, label_en, label_de, url].join("\t"))
      .join("\n"),
  };
}

function optionFields(options: TakenValues["adapter_options"]) {
  const { expect } = options;
  const prefix = typeof expect === "object" && expect !== null && "prefixHex" in expect ? String(expect.prefixHex) : "";
  return {
    count_from_player_list: options.countFromPlayerList === true,
    trust_record: options.trustRecord === true,
    expect: prefix ? "prefix" : typeof expect === "string" ? expect : "",
    expect_prefix: prefix,
    gamedig_type: options.gamedigType ?? "",
  };
}

type Game = { game_id: number; game_name: string };

/** What the doctor found, in place of what the form said; names stay where somebody has given one. */
export function withTaken(fields: GameServerFields, taken: TakenValues, games: Game[]): GameServerFields {
  const told = taken.game?.toLowerCase() ?? "";
  const game = games.find(({ game_name }) => told !== "" && game_name.toLowerCase() === told);
  return {
    ...fields,
    adapter: taken.adapter,
    ...optionFields(taken.adapter_options),
    host: taken.host,
    game_port: text(taken.game_port),
    query_port: text(taken.query_port),
    game_id: fields.game_id || text(game?.game_id ?? null),
    server_name: fields.server_name || text(taken.name).slice(0, 80),
    version: text(taken.version) || fields.version,
    user_max: fields.user_max || text(taken.max_players),
  };
}

/** What the doctor found, where it came by the address because there was no script; null when there is nothing of it. */
export function takenFromAddress(search: URLSearchParams): TakenValues | null {
  const adapter = ASKED_ADAPTERS.find((known) => known === search.get("adapter"));
  const host = search.get("host");
  if (!adapter || !host) return null;
  const number = (name: string) => (/^\d{1,6}$/.test(search.get(name) ?? "") ? Number(search.get(name)) : null);
  return {
    adapter,
    adapter_options: readOptions(search.get("adapter_options")),
    host: host.slice(0, 253),
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

/** What each field is called. */
export const fieldLabels = (): Record<keyof GameServerFields, string> => ({
  game_id: m.admin_server_game(),
  server_name: m.admin_server_name(),
  user_max: m.admin_server_max(),
  visibility: m.admin_server_visibility(),
  server_locations: m.admin_server_locations(),
  lifecycle: m.admin_server_lifecycle(),
  maintenance_until: m.admin_server_until(),
  host: m.admin_server_host(),
  game_port: m.admin_server_port(),
  query_port: m.admin_server_query_port(),
  adapter: m.admin_server_adapter(),
  count_from_player_list: optionLabel("countFromPlayerList"),
  trust_record: optionLabel("trustRecord"),
  expect: optionLabel("expect"),
  expect_prefix: m.admin_server_prefix(),
  gamedig_type: optionLabel("gamedigType"),
  poll_interval_s: m.admin_server_interval(),
  version: m.admin_server_version(),
  flavour: m.admin_server_flavour(),
  mods: m.admin_server_mods(),
  join_link: m.admin_server_join(),
  links: m.admin_server_links(),
  description_en: m.admin_game_description_en(),
  description_de: m.admin_game_description_de(),
});

const VISIBILITY_WORDS: Record<string, () => string> = {
  public: m.admin_public,
  members: m.admin_members,
  hidden: m.admin_hidden,
};

/** The words for a visibility. */
export const visibilityWords = (visibility: string): string => VISIBILITY_WORDS[visibility]?.() ?? visibility;
