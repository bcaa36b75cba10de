// What an admin may say of a game server: the shape of its form, which is also what a save compares.
import { z } from "zod";
import { AddressRanges, isAllowedAddress, isAllowedPort, readHost } from "#outside/game-address-rules.ts";
import { findGameType } from "#outside/game-types.ts";
import { ADAPTER_FACTS, ADAPTER_IDS, type AdapterId, type AdapterOptions } from "#shared/adapters.ts";
import { JOIN_SCHEMES } from "#shared/join-href.ts";
import { LIFECYCLES, VISIBILITIES } from "#shared/statuses.ts";
import { filledLine, line, lines, list, wholeNumber } from "../form-text.ts";
import { LINK_NAME } from "../games/guide.ts";

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
  link: 300,
  links: 8,
  label: 60,
  description: 2000,
};

const EXPECTATIONS = ["connect", "server_first", "prefix"] as const;

/** The collector's rule for addresses, from the settings. */
export type AddressRule = { allowCidrs: readonly string[]; deniedPorts: readonly number[] };

const limits = GAME_SERVER_LIMITS;
const choice = <const Values extends readonly [string, ...string[]]>(values: Values) => z.enum(values, "no_choice");

/** A whole address whose placeholders stand for what a host and a port can be. */
const filled = (template: string) => URL.parse(template.replaceAll("{host}", "host.example").replaceAll("{port}", "1"));

/** Pages of the demo that play what a link leads to; endDemo takes such links out of a record. */
const isDemoPage = (url: string) => /^\/demo\/[a-z]+$/.test(url);

/**
 * The links of a guide, a line each: name, label in English, label in German and address, with tabs between. A line that
 * says nothing is none. Errors, at the line's number and the name of what is wrong: `missing`, `too_long`, `no_link_name`,
 * `twice`, `no_https`; and `too_many`.
 */
function linkRows() {
  const shape = z.object({
    name: filledLine(30).refine((name) => LINK_NAME.test(name), "no_link_name"),
    label_en: filledLine(limits.label),
    label_de: line(limits.label),
    url: filledLine(limits.link).refine(
      (url) => isDemoPage(url) || (/^https:\/\/[^/]/.test(url) && URL.parse(url)?.protocol === "https:"),
      "no_https",
    ),
  });
  return z
    .string("missing")
    .transform((text) =>
      text
        .split("\n")
        .map((row) => row.split("\t").map((part) => part.trim()))
        .map(([name = "", label_en = "", label_de = "", url = ""]) => ({ name, label_en, label_de, url }))
        .filter((row) => Object.values(row).some((part) => part !== "")),
    )
    .pipe(z.array(shape).max(limits.links, "too_many"))
    .superRefine((rows, context) => {
      for (const [place, { name }] of rows.entries())
        if (rows.findIndex((other) => other.name === name) < place)
          context.addIssue({ code: "custom", path: [place, "name"], message: "twice" });
    });
}

const fields = z.object({
  game_id: wholeNumber(1, 999_999_999).refine((id) => id !== null, "no_game"),
  server_name: filledLine(limits.name),
  user_max: wholeNumber(0, limits.user_max),
  visibility: choice(VISIBILITIES),
  server_locations: list(limits.locations, limits.location),
  lifecycle: choice(LIFECYCLES),
  /** As <input type="datetime-local"> sends it, in UTC. */
  maintenance_until: line(40).refine((text) => text === "" || readMoment(text) !== null, "no_moment"),
  host: line(limits.host),
  game_port: wholeNumber(1, 65_535),
  query_port: wholeNumber(1, 65_535),
  adapter: choice(ADAPTER_IDS),
  count_from_player_list: z.boolean(),
  trust_record: z.boolean(),
  expect: z.union([z.literal(""), choice(EXPECTATIONS)], "no_choice"),
  expect_prefix: line(128).refine((hex) => /^(?:[0-9a-f]{2})*$/i.test(hex), "no_hex"),
  gamedig_type: line(60),
  poll_interval_s: wholeNumber(1, limits.interval_s),
  version: line(limits.version),
  flavour: line(limits.flavour),
  mods: list(limits.mods, limits.mod),
  join_link: line(limits.link).refine(
    (link) => link === "" || JOIN_SCHEMES.includes(filled(link)?.protocol ?? ""),
    "no_join_link",
  ),
  links: linkRows(),
  description_en: lines(limits.description),
  description_de: lines(limits.description),
});

/** The fields as a form sends them: texts, and ticks as booleans. */
export type GivenGameServer = z.input<typeof fields>;

/** "2026-11-20T18:30", in UTC, as ISO 8601; null when it is none. */
function readMoment(text: string): string | null {
  const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?$/.test(text) ? new Date(`${text}Z`) : null;
  return moment && !Number.isNaN(moment.getTime()) ? moment.toISOString() : null;
}

/**
 * The shape of the form under an address rule. Errors: `missing`, `too_long`, `number`, `no_choice`, `no_game`, `no_moment`,
 * `past`, `no_hex`, `no_https`, `no_link_name`, `twice`, `too_many`, `no_join_link`, `no_host`, `closed_host`, `no_port`, `closed_port`.
 */
export function gameServerShape(rule: AddressRule) {
  const exceptions = new AddressRanges(rule.allowCidrs);
  const denied = new Set(rule.deniedPorts);
  return fields
    .superRefine((given, context) => {
      const fault = (path: keyof GivenGameServer, message: string) =>
        context.addIssue({ code: "custom", path: [path], message });
      const until = readMoment(given.maintenance_until);
      if (given.lifecycle === "maintenance" && until !== null && Date.parse(until) <= Date.now())
        fault("maintenance_until", "past");
      const host = given.host === "" ? null : readHost(given.host);
      if (host?.kind === "refused") fault("host", host.failure === "dns" ? "no_host" : "closed_host");
      if (host?.kind === "address" && !isAllowedAddress(host.address, exceptions)) fault("host", "closed_host");
      if (host?.kind === "own_machine" && !isAllowedAddress("127.0.0.1", exceptions)) fault("host", "closed_host");
      // The port that is asked has to be one that may be; any other is only told to players.
      const [asked, field] =
        given.query_port === null
          ? ([given.game_port, "game_port"] as const)
          : ([given.query_port, "query_port"] as const);
      const { needs } = ADAPTER_FACTS[given.adapter];
      if (!needs.address) return;
      if (asked !== null && !isAllowedPort(asked, denied)) fault(field, "closed_port");
      if (host && asked === null && needs.port) fault("game_port", "no_port");
      if (given.adapter === "gamedig" && !findGameType(given.gamedig_type)) fault("gamedig_type", "no_choice");
      if (given.adapter === "tcp" && given.expect === "prefix" && given.expect_prefix === "")
        fault("expect_prefix", "missing");
    })
    .transform(
      ({ count_from_player_list, trust_record, expect, expect_prefix, gamedig_type, maintenance_until, ...given }) => ({
        ...given,
        game_id: given.game_id ?? 0,
        maintenance_until: given.lifecycle === "maintenance" ? readMoment(maintenance_until) : null,
        adapter_options: optionsOf(given.adapter, {
          count_from_player_list,
          trust_record,
          expect,
          expect_prefix,
          gamedig_type,
        }),
      }),
    );
}

/** A game server as its form describes it, ready to be stored. */
export type GameServerForm = z.output<ReturnType<typeof gameServerShape>>;

/** Only what the adapter knows; what belongs to another one is left behind. */
function optionsOf(
  adapter: AdapterId,
  given: Pick<
    z.output<typeof fields>,
    "count_from_player_list" | "trust_record" | "expect" | "expect_prefix" | "gamedig_type"
  >,
): AdapterOptions {
  if (adapter === "a2s") {
    return {
      ...(given.count_from_player_list ? { countFromPlayerList: true } : {}),
      ...(given.trust_record ? { trustRecord: true } : {}),
    };
  }
  if (adapter === "tcp" && given.expect !== "") {
    return { expect: given.expect === "prefix" ? { prefixHex: given.expect_prefix.toLowerCase() } : given.expect };
  }
  return adapter === "gamedig" ? { gamedigType: given.gamedig_type } : {};
}
