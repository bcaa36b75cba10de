/** What is true: game servers that go down, flap and hang, names that get lost, and everything that goes wrong on our own side. */
import { createDice, type Dice } from "./dice.ts";

/** From one moment up to another, in ms since the world began. */
export type Span = readonly [from: number, to: number];

/** `refuses`: the machine answers that nobody listens; `silent`: nothing comes back; `hangs`: it begins to answer, then nothing. */
export type Outage = { span: Span; how: "refuses" | "silent" | "hangs"; somebodyWaits: boolean };

export type GameServer = {
  id: number;
  host: string;
  address: string;
  intervalMs: number;
  roundTripMs: number;
  /** In order, none touching another. */
  outages: Outage[];
  /** When its name is not found; empty for those that are asked by address. */
  nameLost: Span[];
};

/** Our own network: packets to `addresses` (null: to all) get lost without a word, or cannot even be sent. */
export type Cut = { span: Span; how: "silent" | "unreachable"; addresses: ReadonlySet<string> | null };

export type World = {
  seed: number;
  forMs: number;
  siteIntervalMs: number;
  /** The part of all packets that gets lost, each way. */
  loss: number;
  servers: GameServer[];
  cuts: Cut[];
  /** When our own process stands still. */
  stalls: Span[];
  /** The database's clock is put ahead or back. */
  jumps: { at: number; byMs: number }[];
  /** Our own process is stopped and started again. */
  restarts: number[];
  /** So many outposts look from elsewhere, over lines that lose as much and are never cut. */
  outposts: number;
};

export type WorldOptions = {
  seed: number;
  loss: number;
  servers?: number;
  hours?: number;
  /** What goes wrong on our side: `all` that a watcher without outposts can tell, `part` of the network alone, or nothing. */
  own?: "all" | "part" | "none";
  outposts?: number;
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Nothing goes wrong before everybody was asked a few times. */
const QUIET_BEGINNING = 20 * MINUTE;
const SITE_INTERVAL = 30 * SECOND;

/** Makes a world; the same seed makes the same. */
export function makeWorld({ seed, loss, servers = 200, hours = 24, own = "all", outposts = 0 }: WorldOptions): World {
  const dice = createDice(seed);
  const forMs = hours * 60 * MINUTE;
  const all = Array.from({ length: servers }, (_, id) => makeServer(id, servers, forMs, dice));
  breakMachines(all, forMs, dice);
  const world: World = {
    seed,
    forMs,
    siteIntervalMs: SITE_INTERVAL,
    loss,
    servers: all,
    cuts: [],
    stalls: [],
    jumps: [],
    restarts: [],
    outposts,
  };
  if (own !== "none") troubleOurselves(world, own, dice);
  return world;
}

/** A twentieth share a machine with twenty others, the rest has one each; a few have intervals of their own. */
function makeServer(id: number, of: number, forMs: number, dice: Dice): GameServer {
  const part = id / of;
  const machine = part < 0.2 ? 1 + Math.floor(id / 20) : 100 + id;
  const address = `10.0.${machine >> 8}.${machine & 255}`;
  const byName = part >= 0.85 && part < 0.95;
  return {
    id,
    host: byName ? `play-${id}.example.org` : address,
    address,
    intervalMs: (part >= 0.95 ? (part >= 0.975 ? 300 : 60) : 30) * SECOND,
    roundTripMs: dice.length(5, 180),
    outages: part >= 0.2 ? makeOutages(part, forMs, dice) : [],
    nameLost: byName ? makeSpans(forMs, 150 * MINUTE, 20 * SECOND, 20 * MINUTE, dice) : [],
  };
}

/** Most fail once or twice a day, some hang again and again, some flap for half an hour, and a few are never there. */
function makeOutages(part: number, forMs: number, dice: Dice): Outage[] {
  const outage = (span: Span): Outage => ({
    span,
    how: dice.pick(["refuses", "silent", "silent", "hangs"]),
    somebodyWaits: dice.happens(0.4),
  });
  if (part < 0.22) return [outage([0, forMs])];
  if (part < 0.35) return makeSpans(forMs, 40 * MINUTE, 20 * SECOND, 10 * MINUTE, dice).map(outage);
  if (part < 0.45) {
    return makeSpans(forMs, 150 * MINUTE, 10 * MINUTE, 40 * MINUTE, dice).flatMap(([from, to]) =>
      makeSpans(to - from, 40 * SECOND, 3 * SECOND, 40 * SECOND, dice, 0).map(([a, b]) => outage([from + a, from + b])),
    );
  }
  return makeSpans(forMs, 11 * 60 * MINUTE, 90 * SECOND, 120 * MINUTE, dice).map(outage);
}

/** A machine with twenty game servers dies with all of them. */
function breakMachines(servers: GameServer[], forMs: number, dice: Dice): void {
  for (const machine of ["10.0.0.1", "10.0.0.2"]) {
    const spans = makeSpans(forMs, 8 * 60 * MINUTE, 2 * MINUTE, 30 * MINUTE, dice);
    for (const server of servers) {
      if (server.address !== machine) continue;
      server.outages = spans.map((span) => ({ span, how: "silent", somebodyWaits: dice.happens(0.4) }));
    }
  }
}

/** Every half hour or so, one thing after the other, each kind as often as the others. */
function troubleOurselves(world: World, own: "all" | "part", dice: Dice): void {
  const addresses = [...new Set(world.servers.map(({ address }) => address))];
  const some = (part: number) => new Set(addresses.filter(() => dice.happens(part)));
  const kinds = {
    stall: (at: number) => world.stalls.push([at, at + dice.length(300, 40 * SECOND)]),
    jump: (at: number) => world.jumps.push({ at, byMs: dice.pick([-1, 1]) * dice.length(2.5 * SECOND, 60 * MINUTE) }),
    restart: (at: number) => world.restarts.push(at),
    whole: (at: number) => {
      const span: Span = [at, at + dice.length(10 * SECOND, 15 * MINUTE)];
      world.cuts.push({ span, how: dice.pick(["silent", "silent", "unreachable"]), addresses: null });
    },
    most: (at: number) => {
      const span: Span = [at, at + dice.length(10 * SECOND, 8 * MINUTE)];
      world.cuts.push({ span, how: "silent", addresses: some(dice.between(0.75, 0.95)) });
    },
    part: (at: number) => {
      const span: Span = [at, at + dice.length(30 * SECOND, 8 * MINUTE)];
      world.cuts.push({ span, how: "silent", addresses: some(dice.between(0.05, 0.4)) });
    },
  };
  const usual = ["stall", "jump", "whole", "most", "restart"] as const;
  let turn = 0;
  for (let at = QUIET_BEGINNING; at < world.forMs - QUIET_BEGINNING; at += dice.pause(10 * MINUTE) + 20 * MINUTE) {
    kinds[own === "part" ? "part" : (usual[turn++ % usual.length] ?? "stall")](at);
  }
}

/** Spans of `least` to `most` ms, with pauses between them that are `mean` on average. */
function makeSpans(
  forMs: number,
  mean: number,
  least: number,
  most: number,
  dice: Dice,
  begin = QUIET_BEGINNING,
): Span[] {
  const spans: Span[] = [];
  let at = begin + dice.pause(mean);
  while (at < forMs) {
    const to = at + dice.length(least, most);
    spans.push([at, to]);
    at = to + SECOND + dice.pause(mean);
  }
  return spans;
}

/** The span of those (in order, apart) that holds `at`. */
export function spanAt(spans: readonly Span[], at: number): Span | null {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.[1] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const found = spans[low];
  return found && found[0] <= at ? found : null;
}

/** Whether any of the spans meets [from, to]. */
export function meets(spans: readonly Span[], from: number, to: number): boolean {
  return spans.some(([began, ended]) => began <= to && ended >= from);
}
