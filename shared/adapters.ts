// Lists the ways to poll a game server, as far as server and browser share them: what each needs, reports, and must know. How
// each polls is in outside/game-query/adapters.ts; names of those without a proper one are in messages/.

/**
 * The kind of an adapter's option, and its stored value.
 * - `tick`: true, or nothing
 * - `game`: the game, by its name on the allow-list of outside/game-types
 * - `greeting`: what proves that the right program listens: that it accepts (`connect`), that it sends first (`server_first`), or
 *   that it first sends these bytes, in hexadecimal
 */
export type OptionValues = {
  tick: boolean;
  game: string;
  greeting: "connect" | "server_first" | { prefixHex: string };
};

export type OptionKind = keyof OptionValues;

type AdapterFacts = {
  /** Its protocol's proper name, if it has one, the same in every language. The messages describe all others. */
  properName?: string;
  needs: {
    /** A host to poll. Without one it is never polled: the game server reports itself. */
    address: boolean;
    /** A port; if optional, the DNS provides it. */
    port: boolean;
    /** The name that players type, because replies may differ by name. */
    name: boolean;
    /** The port that players type too, because the polled port serves several game servers. */
    gamePort?: true;
  };
  /** The default query port, if it is not the game port: a port, or an offset above the game port. */
  usualQueryPort?: number | { above: number };
  tells: {
    /** The number of players. If not, a heartbeat may. */
    players: boolean;
    /** Its description, its icon, its mods: polled rarely. */
    details?: true;
    /** The names of players: polled only for game servers whose list an operator has turned on. */
    names?: true;
    /** An answer proves only that something accepts there, not what it is. */
    doorOnly?: true;
  };
  /** Its settings beyond address and port, by the names in gameserver.adapter_options. */
  options: Readonly<Record<string, OptionKind>>;
  /**
   * Its credentials, by the names in gameserver.adapter_secrets. Separate from the options, which pages, the API and the audit
   * log show: these are written, and never shown to people again.
   */
  secrets?: readonly string[];
  /** Without them it answers nothing. */
  secretsNeeded?: true;
};

const AT_A_PORT = { address: true, port: true, name: false } as const;
/** HTTP sends the name as well, and several servers may share an address. */
const AT_A_PORT_BY_NAME = { address: true, port: true, name: true } as const;

const FACTS = {
  /** Valve's query: Steam's games. */
  a2s: {
    needs: AT_A_PORT,
    tells: { players: true, names: true },
    // The reply's number is wrong and the length of the player list is right (ARK); name and maximum in the reply are wrong and
    // our record is right (The Front).
    options: { countFromPlayerList: "tick", trustRecord: "tick" },
  },
  /** Java Edition. */
  minecraft: {
    properName: "Minecraft Server List Ping",
    needs: { address: true, port: false, name: true },
    tells: { players: true, details: true, names: true },
    options: {},
  },
  /** Its lightweight query over UDP. */
  satisfactory: {
    properName: "Satisfactory Lightweight Query",
    needs: AT_A_PORT_BY_NAME,
    tells: { players: true },
    options: {},
    // It reports players only with this token, over HTTPS.
    secrets: ["applicationToken"],
  },
  /** Its REST interface. */
  palworld: {
    properName: "Palworld REST",
    needs: AT_A_PORT_BY_NAME,
    tells: { players: true },
    usualQueryPort: 8212,
    options: {},
    secrets: ["adminPassword"],
    secretsNeeded: true,
  },
  /** Its REST interface, with TShock. */
  terraria: {
    properName: "TShock REST",
    needs: AT_A_PORT_BY_NAME,
    tells: { players: true },
    usualQueryPort: 7878,
    options: {},
    // Only if the operator has made the status private.
    secrets: ["restToken"],
  },
  /** The web server of a plugin. */
  hytale: {
    properName: "Hytale Nitrado:Query",
    needs: AT_A_PORT_BY_NAME,
    tells: { players: true },
    usualQueryPort: { above: 3 },
    options: { withoutTls: "tick" },
  },
  /** Bedrock Edition. */
  bedrock: {
    properName: "RakNet ping (Minecraft Bedrock)",
    needs: AT_A_PORT,
    tells: { players: true },
    options: {},
  },
  /** FiveM and RedM, which run on the same server program. */
  fivem: { properName: "getinfo (FiveM, RedM)", needs: AT_A_PORT, tells: { players: true }, options: {} },
  /** Teeworlds of 0.6 and 0.7, and DDNet. */
  teeworlds: { properName: "Teeworlds/DDNet query", needs: AT_A_PORT, tells: { players: true }, options: {} },
  /** Luanti (Minetest): its handshake only proves that it is online. */
  luanti: { properName: "Luanti handshake", needs: AT_A_PORT, tells: { players: false }, options: {} },
  /** Its game information, which lacks the maximum. */
  factorio: { properName: "Factorio game information", needs: AT_A_PORT, tells: { players: true }, options: {} },
  /** TeamSpeak 3: one query for all virtual servers of a machine. */
  teamspeak: {
    properName: "TeamSpeak ServerQuery",
    needs: { ...AT_A_PORT, gamePort: true },
    tells: { players: true },
    usualQueryPort: 10_011,
    options: {},
  },
  /** The long tail. */
  gamedig: { needs: AT_A_PORT, tells: { players: true }, options: { gamedigType: "game" } },
  /** Whether something accepts. */
  tcp: { needs: AT_A_PORT, tells: { players: false, doorOnly: true }, options: { expect: "greeting" } },
  /** Not polled: the game machine reports itself. */
  heartbeat: {
    needs: { address: false, port: false, name: false },
    tells: { players: true },
    options: {},
  },
} as const satisfies Record<string, AdapterFacts>;

type Facts = typeof FACTS;
export type AdapterId = keyof Facts;
/** The adapters that poll, and don't only receive reports. */
export type AskedAdapterId = { [Id in AdapterId]: Facts[Id]["needs"]["address"] extends true ? Id : never }[AdapterId];
/** The adapters whose protocol has a proper name. */
export type NamedAdapterId = { [Id in AdapterId]: Facts[Id] extends { properName: string } ? Id : never }[AdapterId];
/** The adapters without player counts. */
export type SilentAdapterId = {
  [Id in AdapterId]: Facts[Id]["tells"]["players"] extends false ? Id : never;
}[AdapterId];

type OptionsOf<Id extends AdapterId> = {
  -readonly [Name in keyof Facts[Id]["options"]]: Facts[Id]["options"][Name] extends OptionKind
    ? OptionValues[Facts[Id]["options"][Name]]
    : never;
};
type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer Every) => void
  ? Every
  : never;
/** The options of all adapters; each uses only its own. */
export type AdapterOptions = Partial<All<{ [Id in AdapterId]: OptionsOf<Id> }[AdapterId]>>;
export type AdapterOptionName = keyof AdapterOptions;
export type TickOptionName = {
  [Name in AdapterOptionName]: AdapterOptions[Name] extends boolean | undefined ? Name : never;
}[AdapterOptionName];

type UsualQueryPorts = {
  [Id in AdapterId as Facts[Id] extends { usualQueryPort: unknown } ? Id : never]: Pick<
    Facts[Id],
    "usualQueryPort" & keyof Facts[Id]
  >;
};

/** All adapters, in the order in which an admin chooses. */
export const ADAPTER_FACTS: Readonly<
  Record<AdapterId, AdapterFacts> & Record<NamedAdapterId, { properName: string }> & UsualQueryPorts
> = FACTS;
export const ADAPTER_IDS = Object.keys(FACTS) as [AdapterId, ...AdapterId[]];

/** One option of one adapter. A name belongs to one adapter alone. */
export type AdapterOption = {
  [Id in AdapterId]: {
    [Name in keyof Facts[Id]["options"] & AdapterOptionName]: {
      adapter: Id;
      name: Name;
      kind: Facts[Id]["options"][Name];
    };
  }[keyof Facts[Id]["options"] & AdapterOptionName];
}[AdapterId];

/** The options of all adapters. */
export const ADAPTER_OPTIONS = ADAPTER_IDS.flatMap((adapter) =>
  Object.entries(FACTS[adapter].options).map(([name, kind]) => ({ adapter, name, kind }) as AdapterOption),
);

export type AdapterSecretName = {
  [Id in AdapterId]: Facts[Id] extends { secrets: readonly (infer Name extends string)[] } ? Name : never;
}[AdapterId];
/** The credentials of adapters, in plain text. */
export type AdapterSecrets = Partial<Record<AdapterSecretName, string>>;
/** The stored credentials: sealed with the site's secret (domain/game-servers/adapter-secrets.ts), and their end for admins. */
export type SealedSecrets = Partial<Record<AdapterSecretName, { sealed: string; end: string }>>;

/** The secrets of all adapters. A name belongs to one adapter alone. */
export const ADAPTER_SECRETS = ADAPTER_IDS.flatMap((adapter) =>
  (ADAPTER_FACTS[adapter].secrets ?? []).map((name) => ({ adapter, name: name as AdapterSecretName })),
);

/** Checks whether an answer is the game's own, and not only an open port. */
export const isOwnAnswer = (id: AdapterId): boolean => ADAPTER_FACTS[id].tells.doorOnly !== true;

/**
 * Gets the port to poll: the query port, else the adapter's default, else the game port. Null: unknown, or the DNS provides it.
 * Adapters known only to a newer version use the game port.
 */
export function askedPort(
  id: AdapterId,
  { gamePort, queryPort }: { gamePort: number | null; queryPort: number | null },
): number | null {
  const usual = ADAPTER_FACTS[id]?.usualQueryPort;
  if (queryPort !== null || usual === undefined) return queryPort ?? gamePort;
  if (typeof usual === "number") return usual;
  const above = gamePort === null ? null : gamePort + usual.above;
  return above !== null && above > 65_535 ? null : above;
}

/** Checks whether it is polled, and doesn't only report. One known only to a newer version is not. */
export const isAsked = (id: AdapterId): id is AskedAdapterId => ADAPTER_FACTS[id]?.needs.address === true;
export const ASKED_ADAPTERS = ADAPTER_IDS.filter(isAsked);
/** The adapters whose protocol has description, icon and mods, and those whose protocol has names. */
export const TELLING_DETAILS = ADAPTER_IDS.filter((id) => ADAPTER_FACTS[id].tells.details);
export const TELLING_NAMES = ADAPTER_IDS.filter((id) => ADAPTER_FACTS[id].tells.names);
