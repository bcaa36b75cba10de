// Defines a game server once: its fields and rules, how it is stored, and who may see what. Used by the admin's form, the public
// API and its document, pages, lists and the audit log.
import { z } from "zod";
import type { gameserver } from "#db/schema/index.ts";
import { AddressRanges, isAllowedAddress, isAllowedPort, readHost } from "#outside/game-address-rules.ts";
import { ADAPTER_FACTS, ADAPTER_IDS, askedPort } from "#shared/adapters.ts";
import { type FieldErrorCode, fieldError } from "#shared/field-error-codes.ts";
import { PASSWORD_ACCESS } from "#shared/password-access.ts";
import { LIFECYCLES, SHOWN_STATUSES, VISIBILITIES } from "#shared/statuses.ts";
import { filledLine, line, lines, list } from "../form-text.ts";
import { LINK_NAME } from "../games/guide.ts";
import { JOIN_LINK_LIMIT, joinLink } from "../join-link.ts";
import { localText, localTextShape } from "../local-text.ts";
import { namesSeenBy, type SeenBy } from "../visible-fields.ts";
import { adapterOptions, errorsOfOptions, storedOptions } from "./adapter-options.ts";

export const GAME_SERVER_LIMITS = {
  name: 80,
  user_max: 100_000,
  interval_s: 3600,
  locations: 12,
  location: 60,
  mods: 200,
  mod: 80,
  version: 60,
  flavour: 40,
  host: 253,
  link: JOIN_LINK_LIMIT,
  join_code: 64,
  password: 64,
  access_note: 300,
  links: 8,
  label: 60,
  description: 2000,
};
const limits = GAME_SERVER_LIMITS;

/** The collector's rule for addresses, from the settings. */
export type AddressRule = {
  allowCidrs: readonly string[];
  deniedPorts: readonly number[];
};

const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, fieldError("no_choice"));
const wholeNumber = (least: number, most: number) =>
  z.int(fieldError("number")).min(least, fieldError("number")).max(most, fieldError("number"));
const port = () => wholeNumber(1, 65_535).nullable();

/** As typed into a game: spaces inside count. */
const password = lines(limits.password).transform((text) => text.replace(/[\n\t]/g, ""));

/** Pages of the demo that play what a link leads to; endDemo takes such links out of a record. */
const isDemoPage = (url: string) => /^\/demo\/[a-z]+$/.test(url);

const link = z.strictObject({
  name: filledLine(30).refine((name) => LINK_NAME.test(name), fieldError("no_link_name")),
  label_en: filledLine(limits.label),
  label_de: line(limits.label).prefault(""),
  url: filledLine(limits.link)
    .refine(
      (url) => isDemoPage(url) || (/^https:\/\/[^/]/.test(url) && URL.parse(url)?.protocol === "https:"),
      fieldError("no_https"),
    )
    .meta({ description: "https alone." }),
});

/** All fields that an admin can set. `prefault`: the default for a new one. */
const fields = {
  game_id: z
    .int({
      error: ({ input }) => (input === undefined || input === null ? fieldError("choose_game") : fieldError("number")),
    })
    .min(1, fieldError("number"))
    .max(999_999_999, fieldError("number")),
  server_name: filledLine(limits.name),
  user_max: wholeNumber(0, limits.user_max).nullable().prefault(null),
  visibility: choice(VISIBILITIES).prefault("hidden"),
  server_locations: list(limits.locations, limits.location).prefault([]),
  lifecycle: choice(LIFECYCLES).prefault("active"),
  maintenance_until: z.iso
    .datetime(fieldError("no_moment"))
    .nullable()
    .meta({ description: "When a maintenance ends by itself." })
    .prefault(null),
  host: line(limits.host).meta({ description: "On the public internet; anything else may not be asked." }).prefault(""),
  game_port: port().prefault(null),
  query_port: port().prefault(null),
  adapter: choice(ADAPTER_IDS),
  adapter_options: adapterOptions.prefault({}),
  poll_interval_s: wholeNumber(1, limits.interval_s).nullable().prefault(null),
  version: line(limits.version).prefault(""),
  flavour: line(limits.flavour).prefault(""),
  mods: list(limits.mods, limits.mod).prefault([]),
  show_details: z
    .boolean()
    .meta({
      description: "Whether its own words, icon and mods are asked for and shown, where its protocol tells them.",
    })
    .prefault(true),
  player_list: z
    .boolean()
    .meta({
      description: "Whether members may read who is on by name, where its protocol tells it. Never part of the API.",
    })
    .prefault(false),
  join_link: joinLink.prefault(""),
  join_code: line(limits.join_code)
    .meta({ description: "Typed by players in place of an address; as visible as the address." })
    .prefault(""),
  password: password
    .meta({ description: "What the game asks for. `password_access` says who may read it." })
    .prefault(""),
  password_access: choice(PASSWORD_ACCESS)
    .meta({ description: "Who reads the password; `none`: there is none; `ask`: nobody on the site." })
    .prefault("none"),
  access_note_en: line(limits.access_note)
    .meta({ description: "What else is needed to get in, such as a whitelist." })
    .prefault(""),
  access_note_de: line(limits.access_note).prefault(""),
  links: z
    .array(link)
    .max(limits.links, fieldError("too_many"))
    .superRefine((links, context) => {
      for (const [place, { name }] of links.entries())
        if (links.findIndex((other) => other.name === name) < place)
          context.addIssue({ code: "custom", path: [place, "name"], message: fieldError("twice") });
    })
    .meta({ description: "In this order; a guide shows one where it says {link:name}." })
    .prefault([]),
  description_en: lines(limits.description).prefault(""),
  description_de: lines(limits.description).prefault(""),
};

/** A new game server: missing fields get defaults. */
export const newGameServerFields = z.strictObject(fields);

/** A complete game server. Empty text and null mean no value. */
export const gameServerFields = z.strictObject(withoutDefaults(fields));
export type GameServerFields = z.output<typeof gameServerFields>;

type WithoutDefaults<Shape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodPrefault<infer Given> ? Given : Shape[Name];
};

function withoutDefaults<Shape extends z.ZodRawShape>(shape: Shape) {
  const entries = Object.entries(shape).map(([name, one]) => [name, one instanceof z.ZodPrefault ? one.unwrap() : one]);
  return Object.fromEntries(entries) as WithoutDefaults<Shape>;
}

/**
 * Builds the shape of the fields under an address rule. Errors: `missing`, `too_long`, `number`, `no_choice`, `choose_game`,
 * `no_moment`, `past`, `no_hex`, `no_https`, `no_link_name`, `twice`, `too_many`, `no_join_link`, `no_join_placeholder`,
 * `no_access`, `no_host`, `closed_host`, `no_port`, `closed_port`.
 */
export function gameServerShape(rule: AddressRule) {
  const exceptions = new AddressRanges(rule.allowCidrs);
  const denied = new Set(rule.deniedPorts);
  // On the field itself: the rules below only run once every single field is valid.
  const host = gameServerFields.shape.host.superRefine((given, context) => {
    const read = given === "" ? null : readHost(given);
    const fault = (message: FieldErrorCode) => context.addIssue({ code: "custom", message });
    if (read?.kind === "refused") fault(read.failure === "dns" ? "no_host" : "closed_host");
    if (read?.kind === "address" && !isAllowedAddress(read.address, exceptions)) fault("closed_host");
    if (read?.kind === "own_machine" && !isAllowedAddress("127.0.0.1", exceptions)) fault("closed_host");
  });
  return gameServerFields
    .extend({ host })
    .superRefine((given, context) => {
      const fault = (path: keyof GameServerFields, message: FieldErrorCode, ...within: string[]) =>
        context.addIssue({ code: "custom", path: [path, ...within], message });
      const until = given.maintenance_until;
      if (given.lifecycle === "maintenance" && until !== null && Date.parse(until) <= Date.now())
        fault("maintenance_until", "past");
      const access = given.password_access;
      if ((access === "public" || access === "members") && given.password === "") fault("password", "missing");
      if (access === "none" && given.password !== "") fault("password_access", "no_access");
      // The queried port must be allowed; others are only shown to players.
      const asked = askedPort(given.adapter, { gamePort: given.game_port, queryPort: given.query_port });
      const field = given.query_port === null && asked === given.game_port ? "game_port" : "query_port";
      const { needs } = ADAPTER_FACTS[given.adapter];
      if (!needs.address) return;
      if (asked !== null && !isAllowedPort(asked, denied)) fault(field, "closed_port");
      if (given.host !== "" && asked === null && needs.port) fault("game_port", "no_port");
      for (const { path, code } of errorsOfOptions(given.adapter, given.adapter_options))
        fault("adapter_options", code, ...path);
    })
    .transform((given) => ({
      ...given,
      maintenance_until: given.lifecycle === "maintenance" ? asMoment(given.maintenance_until) : null,
      adapter_options: storedOptions(given.adapter, given.adapter_options),
    }));
}

const asMoment = (text: string | null) => (text === null ? null : new Date(text).toISOString());

type GameServerColumns = typeof gameserver.$inferSelect;

/** Reads a game server's fields from its row. */
export const gameServerFieldsOf = (server: GameServerColumns): GameServerFields => ({
  game_id: server.game_id,
  server_name: server.server_name,
  user_max: server.user_max,
  visibility: server.visibility,
  server_locations: server.server_locations,
  lifecycle: server.lifecycle,
  maintenance_until: server.maintenance_until?.toISOString() ?? null,
  host: server.host ?? "",
  game_port: server.game_port,
  query_port: server.query_port,
  adapter: server.adapter,
  adapter_options: server.adapter_options,
  poll_interval_s: server.poll_interval_s,
  version: server.version ?? "",
  flavour: server.flavour ?? "",
  mods: server.mods,
  show_details: server.show_details,
  player_list: server.player_list,
  join_link: server.join_link ?? "",
  join_code: server.join_code ?? "",
  password: server.password ?? "",
  password_access: server.password_access,
  access_note_en: server.access_note?.en ?? "",
  access_note_de: server.access_note?.de ?? "",
  links: server.links.map(({ name, label, url }) => ({ name, label_en: label.en, label_de: label.de ?? "", url })),
  description_en: server.description?.en ?? "",
  description_de: server.description?.de ?? "",
});

/** Fields whose column is null when empty. */
type NullableText = {
  [Name in keyof GameServerFields & keyof GameServerColumns]: string | null extends GameServerColumns[Name]
    ? Name
    : never;
}[keyof GameServerFields & keyof GameServerColumns];

const orNull = (text: string) => (text === "" ? null : text);

const localTextOrNull = (en: string, de: string) => (en || de ? localText(en || de, de) : null);

/** Converts fields to columns. */
export const gameServerColumnsOf = ({
  description_en,
  description_de,
  access_note_en,
  access_note_de,
  ...fields
}: GameServerFields) => ({
  ...fields,
  ...({
    host: orNull(fields.host),
    version: orNull(fields.version),
    flavour: orNull(fields.flavour),
    join_link: orNull(fields.join_link),
    join_code: orNull(fields.join_code),
    password: orNull(fields.password),
  } satisfies Record<NullableText, string | null>),
  maintenance_until: fields.maintenance_until === null ? null : new Date(fields.maintenance_until),
  links: fields.links.map(({ name, label_en, label_de, url }) => ({ name, label: localText(label_en, label_de), url })),
  access_note: localTextOrNull(access_note_en, access_note_de),
  description: localTextOrNull(description_en, description_de),
});

/** Who sees each column. A missing one doesn't compile. For the password, `asSeenBy` decides. */
const SEEN_BY = {
  server_id: "visitors",
  game_id: "visitors",
  server_name: "visitors",
  user_max: "visitors",
  visibility: "visitors",
  server_locations: "visitors",
  lifecycle: "pages",
  maintenance_until: "admins",
  host: "visitors",
  game_port: "visitors",
  query_port: "admins",
  adapter: "pages",
  adapter_options: "admins",
  // Not even sealed: admins only see that it exists, and its end (adapter-secrets.ts).
  adapter_secrets: "site",
  poll_interval_s: "pages",
  version: "visitors",
  flavour: "visitors",
  mods: "visitors",
  show_details: "pages",
  player_list: "pages",
  join_link: "visitors",
  join_code: "visitors",
  password: "visitors",
  password_access: "visitors",
  access_note: "visitors",
  links: "visitors",
  description: "visitors",
  sort_order: "site",
  heartbeat_token_hash: "site",
  demo: "site",
  created_at: "site",
  updated_at: "site",
} as const satisfies Record<keyof GameServerColumns, SeenBy>;

/** Columns that pages may show of a game server that isn't hidden. */
export const GAME_SERVER_ON_PAGES = namesSeenBy(SEEN_BY, "visitors", "pages");

/** Columns in the public API; `gameServerAnswer` has their shapes. */
export const GAME_SERVER_IN_API = namesSeenBy(SEEN_BY, "visitors");
export const gameServerAnswer = z.object({
  server_id: z.int().min(1),
  game_id: z.int().min(1),
  server_name: z.string(),
  user_max: z.int().min(0).nullable().meta({ description: "As the admin says; the measured one is in `live`." }),
  visibility: z.enum(["public", "members"]),
  server_locations: z.array(z.string()),
  host: z.string().nullable(),
  game_port: port(),
  version: z.string().nullable(),
  flavour: z.string().nullable(),
  mods: z.array(z.string()),
  join_link: z.string().nullable(),
  join_code: z.string().nullable().meta({ description: "What players type in place of an address." }),
  password: z.string().nullable().meta({ description: "null where there is none, or none for who asks." }),
  password_access: z.enum(PASSWORD_ACCESS).meta({
    description: "Who reads the password: `public` everybody, `members` whoever is signed in, `ask` nobody here.",
  }),
  access_note: localTextShape.nullable().meta({ description: "What else is needed to get in, such as a whitelist." }),
  links: z
    .array(z.object({ name: z.string(), label: localTextShape, url: z.string() }))
    .meta({ description: "What its guide leads to: a launcher, a torrent, a registration." }),
  description: localTextShape.nullable(),
} satisfies Record<(typeof GAME_SERVER_IN_API)[number], z.ZodType>);

/** A row of the admin's list, in the admin area and in the API. */
export const gameServerRow = z.object({
  server_id: z.int().min(1),
  game_id: z.int().min(1),
  game_name: z.string(),
  ...gameServerAnswer.pick({ server_name: true, server_locations: true }).shape,
  user_max: z.int().min(0).nullable(),
  visibility: z.enum(VISIBILITIES),
  status: z.enum(SHOWN_STATUSES),
});
export type GameServerRow = z.output<typeof gameServerRow>;
