// The ways to ask a game server, as far as server and browser agree on them: what each needs, tells, and has to know.
// How each asks is in outside/game-query/adapters.ts; what those without a proper name are called is in messages/.

/**
 * How one option of an adapter is given, and what is stored of it.
 * - `tick`: true, or nothing
 * - `game`: which game it is, by its name on the allow-list of outside/game-types
 * - `greeting`: what proves that the right thing listens: that it accepts (`connect`), that it speaks first
 *   (`server_first`), or that it speaks first with these bytes, in hexadecimal
 */
export type OptionValues = {
  tick: boolean;
  game: string;
  greeting: "connect" | "server_first" | { prefixHex: string };
};

export type OptionKind = keyof OptionValues;

type AdapterFacts = {
  /** What its protocol is called, where that is a name and the same in every language. The messages describe all others. */
  properName?: string;
  needs: {
    /** A host to ask. Without that it is never asked: it reports itself. */
    address: boolean;
    /** A port; where it can do without, the DNS tells it. */
    port: boolean;
    /** The name that players type, for it may answer each name differently. */
    name: boolean;
    /** The port that players type besides, for it answers for several at the port that is asked. */
    gamePort?: true;
  };
  /** Where it is asked when nobody has said where, if that is not the game port: a port, or so many ports above the game port. */
  usualQueryPort?: number | { above: number };
  tells: {
    /** How many are on. Where not, a heartbeat may. */
    players: boolean;
    /** Its own words, its icon, its mods: asked seldom. */
    details?: true;
    /** Who is on, by name: asked only for game servers whose list an operator has turned on. */
    names?: true;
    /** An answer says that something accepts there, and not what it is. */
    doorOnly?: true;
  };
  /** What it has to know beyond address and port, by the names in gameserver.adapter_options. */
  options: Readonly<Record<string, OptionKind>>;
  /**
   * What it may show to be let in, by the names in gameserver.adapter_secrets. Kept apart from the options, which pages, the API
   * and the audit log tell of: these are written, and never read by people again.
   */
  secrets?: readonly string[];
  /** Without them it answers nothing. */
  secretsNeeded?: true;
};

const AT_A_PORT = { address: true, port: true, name: false } as const;
/** Over HTTP the name is said as well, and several may share an address. */
const AT_A_PORT_BY_NAME = { address: true, port: true, name: true } as const;

const FACTS = {
  /** Valve's query: Steam's games. */
  a2s: {
    needs: AT_A_PORT,
    tells: { players: true, names: true },
    // The number in the reply is wrong and the length of the player list is right (ARK); name and maximum in the reply
    // are wrong and our record is right (The Front).
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
    // Who is on it tells only to who shows it, over HTTPS.
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
  /** Its REST interface, where TShock runs. */
  terraria: {
    properName: "TShock REST",
    needs: AT_A_PORT_BY_NAME,
    tells: { players: true },
    usualQueryPort: 7878,
    options: {},
    // Only where the operator has closed the status to strangers.
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
  /** Luanti (Minetest): its handshake proves that it is there, and tells no more. */
  luanti: { properName: "Luanti handshake", needs: AT_A_PORT, tells: { players: false }, options: {} },
  /** Its game information; the maximum is not in it. */
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
  /** Not asked: the game machine reports itself. */
  heartbeat: {
    needs: { address: false, port: false, name: false },
    tells: { players: true },
    options: {},
  },
} as const satisfies Record<string, AdapterFacts>;

type Facts = typeof FACTS;
export type AdapterId = keyof Facts;
/** Those that are asked, and not only heard of. */
export type AskedAdapterId = { [Id in AdapterId]: Facts[Id]["needs"]["address"] extends true ? Id : never }[AdapterId];
/** Those whose protocol has a proper name. */
export type NamedAdapterId = { [Id in AdapterId]: Facts[Id] extends { properName: string } ? Id : never }[AdapterId];
/** Those that cannot tell how many are on. */
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
/** The options of all adapters; each knows its own alone. */
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

/** THE LIST, in the order in which an admin chooses. */
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
/** What adapters show to be let in, as it is. */
export type AdapterSecrets = Partial<Record<AdapterSecretName, string>>;
/** The same as it is kept: sealed with the site's secret (domain/game-servers/adapter-secrets.ts), and its end for admins. */
export type SealedSecrets = Partial<Record<AdapterSecretName, { sealed: string; end: string }>>;

/** The secrets of all adapters. A name belongs to one adapter alone. */
export const ADAPTER_SECRETS = ADAPTER_IDS.flatMap((adapter) =>
  (ADAPTER_FACTS[adapter].secrets ?? []).map((name) => ({ adapter, name: name as AdapterSecretName })),
);

/** Whether an answer is the game's own, and not only a door that opens. */
export const isOwnAnswer = (id: AdapterId): boolean => ADAPTER_FACTS[id].tells.doorOnly !== true;

/**
 * The port at which a game server is asked: its query port, else where its adapter is usually asked, else its game port. Null:
 * nobody knows, or the DNS does. An adapter that only a newer version knows is asked at its game port.
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

/** Whether it is asked, and not only heard of. One that only a newer version knows is not. */
export const isAsked = (id: AdapterId): id is AskedAdapterId => ADAPTER_FACTS[id]?.needs.address === true;
export const ASKED_ADAPTERS = ADAPTER_IDS.filter(isAsked);
/** Those whose protocol tells words, icon and mods, and those whose protocol tells names. */
export const TELLING_DETAILS = ADAPTER_IDS.filter((id) => ADAPTER_FACTS[id].tells.details);
export const TELLING_NAMES = ADAPTER_IDS.filter((id) => ADAPTER_FACTS[id].tells.names);
