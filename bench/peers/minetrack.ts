/**
 * P6 beside Minetrack, which watches Minecraft servers for many lists: CPU of one question, ours ÷ mcping-js, with which it asks. Minetrack
 * itself is a site with a database of its own and no part of any registry; what follows a question in it is left out, with us too.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";
import { type MinecraftInfo, startMinecraftServer } from "#demo/protocols/minecraft-server.ts";
import { queryMinecraft } from "#outside/game-query/minecraft.ts";
import { installIfNeeded } from "../../cli/prepare.mjs";
import { type Pairs, pairsWanted, rowOfPairs } from "../instruments/pairs.ts";
import type { Row } from "../instruments/row.ts";

const HEAVY = path.join(import.meta.dirname, "../../tests/heavy");
const SERVERS = 200;
const QUESTIONS = 2_000;
const IN_FLIGHT = 100;
const ADDRESS = "127.0.0.1";
const INFO: MinecraftInfo = { players: 7, maxPlayers: 64, version: "1.21.4", protocol: 769, description: "Bench" };
const LIMIT_MS = 2_000;

/** Asks one; rejects where it is not told of seven players. */
type Ask = (port: number) => Promise<void>;
type Round = { cpuUs: number; wallMs: number };
type Pinger = {
  ping(
    limitMs: number,
    protocol: number,
    done: (error: Error | null, found?: { players: { online: number } }) => void,
  ): void;
};

const askOurs: Ask = async (port) => {
  const result = await queryMinecraft({ address: ADDRESS, port, host: ADDRESS }, { deadlineMs: LIMIT_MS });
  if (!result.ok || result.answer.players !== INFO.players) throw new Error("ours was not told");
};

function loadTheirs(): Ask {
  const { MinecraftServer } = createRequire(path.join(HEAVY, "package.json"))("mcping-js") as {
    MinecraftServer: new (host: string, port: number) => Pinger;
  };
  return (port) =>
    new Promise((resolve, reject) => {
      new MinecraftServer(ADDRESS, port).ping(LIMIT_MS, INFO.protocol, (error, found) => {
        if (found?.players.online === INFO.players) resolve();
        else reject(error ?? new Error("theirs was not told"));
      });
    });
}

async function runRound(ports: readonly number[], ask: Ask): Promise<Round> {
  let next = 0;
  const began = performance.now();
  const before = process.cpuUsage();
  const askInTurn = async () => {
    for (let n = next++; n < QUESTIONS; n = next++) await ask(ports[n % ports.length] ?? 0);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, askInTurn));
  const { user, system } = process.cpuUsage(before);
  return { cpuUs: (user + system) / QUESTIONS, wallMs: performance.now() - began };
}

export async function measure(): Promise<Row[]> {
  installIfNeeded(HEAVY);
  const responder = fork(import.meta.filename, ["serve"]);
  try {
    const [ports] = (await once(responder, "message")) as [number[]];
    const sides = [["ours", askOurs] as const, ["theirs", loadTheirs()] as const];
    const rounds = { ours: [] as Round[], theirs: [] as Round[] };
    for (let pair = 0; pair <= pairsWanted(); pair += 1) {
      for (const [name, ask] of pair % 2 === 0 ? sides : sides.toReversed()) {
        const round = await runRound(ports, ask);
        // The first of each warms up.
        if (pair > 0) rounds[name].push(round);
      }
    }
    const pairsOf = (figure: keyof Round): Pairs => {
      const [a, b] = [rounds.ours.map((round) => round[figure]), rounds.theirs.map((round) => round[figure])];
      return { ours: a, baseline: b, ratios: a.map((value, index) => value / (b[index] ?? Number.NaN)) };
    };
    const load = `${QUESTIONS} questions to ${SERVERS} Minecraft servers, ${IN_FLIGHT} in flight`;
    const than = "÷ mcping-js, with which Minetrack asks";
    return [
      { claim: "P6", what: `${load}: CPU of each ${than}`, ...rowOfPairs(pairsOf("cpuUs"), "µs"), better: "less" },
      { claim: "P6", what: `${load}: wall ${than}`, ...rowOfPairs(pairsOf("wallMs"), "ms"), better: "less" },
    ];
  } finally {
    responder.disconnect();
  }
}

/** The pretend servers, in a process of their own so that their work is not counted. */
async function serve(): Promise<void> {
  process.once("disconnect", () => process.exit());
  const servers = await Promise.all(Array.from({ length: SERVERS }, () => startMinecraftServer({ info: () => INFO })));
  process.send?.(servers.map(({ port }) => port));
}

if (import.meta.main && process.argv[2] === "serve") await serve();
