// A game server as programs send it: JSON for what the admin's form says in texts. The rules are the form's own.
import { z } from "zod";
import type { GivenGameServer } from "#domain/game-servers/shape.ts";
import { LIFECYCLES, VISIBILITIES } from "#shared/statuses.ts";
import { pageOf } from "./schemas.ts";

const whole = () => z.int().min(0).max(999_999_999).nullable();
/** The form takes lists with commas between. */
const entries = (most: number) =>
  z.array(z.string().regex(/^[^,\r\n]*$/, "An entry has neither commas nor line breaks.")).max(most);

const options = z
  .strictObject({
    countFromPlayerList: z.boolean().optional(),
    trustRecord: z.boolean().optional(),
    expect: z
      .union([z.enum(["connect", "server_first"]), z.strictObject({ prefixHex: z.string().max(128) })])
      .optional(),
    gamedigType: z.string().max(60).optional(),
  })
  .meta({ description: "What the adapter has to know beyond address and port." });

const linkText = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\t\r\n]*$/, "A link has neither tabs nor line breaks.");
const serverLink = z.strictObject({
  name: linkText(60),
  label_en: linkText(200),
  label_de: linkText(200).default(""),
  url: linkText(600).meta({ description: "https alone." }),
});

const fields = {
  game_id: z.int().min(1).max(999_999_999),
  server_name: z.string().max(400),
  user_max: whole(),
  visibility: z.enum(VISIBILITIES),
  server_locations: entries(100),
  lifecycle: z.enum(LIFECYCLES),
  maintenance_until: z.iso.datetime().nullable().meta({ description: "When a maintenance ends by itself." }),
  host: z.string().max(400).meta({ description: "On the public internet; anything else may not be asked." }),
  game_port: whole(),
  query_port: whole(),
  adapter: z.enum(["a2s", "minecraft", "tcp", "heartbeat", "gamedig"]),
  adapter_options: options,
  poll_interval_s: whole(),
  version: z.string().max(400),
  flavour: z.string().max(400),
  mods: entries(400),
  join_link: z.string().max(600),
  links: z
    .array(serverLink)
    .max(20)
    .meta({ description: "In this order; a guide shows one where it says {link:name}." }),
  description_en: z.string().max(4000),
  description_de: z.string().max(4000),
};

/** A whole record; an empty text stands for nothing. */
export const serverForm = z.strictObject(fields);

/** A new one: what is left out is empty, and it is hidden until it is said otherwise. */
export const newServerForm = z.strictObject({
  ...fields,
  user_max: fields.user_max.default(null),
  visibility: fields.visibility.default("hidden"),
  server_locations: fields.server_locations.default([]),
  lifecycle: fields.lifecycle.default("active"),
  maintenance_until: fields.maintenance_until.default(null),
  host: fields.host.default(""),
  game_port: fields.game_port.default(null),
  query_port: fields.query_port.default(null),
  adapter_options: options.default({}),
  poll_interval_s: fields.poll_interval_s.default(null),
  version: fields.version.default(""),
  flavour: fields.flavour.default(""),
  mods: fields.mods.default([]),
  join_link: fields.join_link.default(""),
  links: fields.links.default([]),
  description_en: fields.description_en.default(""),
  description_de: fields.description_de.default(""),
});

export const serverRecord = z.object({ server_id: z.int().min(1), revision: z.string(), record: serverForm });

const row = z.object({
  server_id: z.int().min(1),
  game_id: z.int().min(1),
  game_name: z.string(),
  server_name: z.string(),
  user_max: z.int().nullable(),
  visibility: z.enum(VISIBILITIES),
  server_locations: z.array(z.string()),
  status: z.string(),
});
export const serverRows = pageOf(row);

export const SERVER_RECORD_SHAPES = {
  ServerForm: serverForm,
  NewServer: newServerForm,
  ServerRecord: serverRecord,
  ServerRow: row,
  ServerRowPage: serverRows,
};

const text = (value: number | null) => (value === null ? "" : String(value));

/** The same as the admin's form would send it. */
export function asForm({ adapter_options: given, ...sent }: z.output<typeof serverForm>): GivenGameServer {
  const { expect } = given;
  return {
    ...sent,
    game_id: String(sent.game_id),
    user_max: text(sent.user_max),
    server_locations: sent.server_locations.join("\n"),
    maintenance_until: sent.maintenance_until?.replace(/(?:\.\d+)?Z$/, "") ?? "",
    game_port: text(sent.game_port),
    query_port: text(sent.query_port),
    poll_interval_s: text(sent.poll_interval_s),
    mods: sent.mods.join("\n"),
    links: sent.links.map(({ name, label_en, label_de, url }) => [name, label_en, label_de, url].join("\t")).join("\n"),
    count_from_player_list: given.countFromPlayerList === true,
    trust_record: given.trustRecord === true,
    expect: typeof expect === "object" ? "prefix" : (expect ?? ""),
    expect_prefix: typeof expect === "object" ? expect.prefixHex : "",
    gamedig_type: given.gamedigType ?? "",
  };
}
