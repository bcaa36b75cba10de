/** P6: what one A2S query costs: CPU of our adapter beside gamedig and a bare socket, and the wall time of 2,000 of them. */
import { fork } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";
import { queryA2s } from "#outside/game-query/a2s-query.ts";
import { loadGamedig } from "#tests/heavy/gamedig.ts";
import { type Pairs, pairsWanted, rowOfPairs } from "../instruments/pairs.ts";
import type { Row } from "../instruments/row.ts";

const serverCount = 2000;
const inFlight = 100;
const address = "127.0.0.1";

/** Asks one server; says whether it looked up, and with the right count. */
type Ask = (port: number) => Promise<boolean>;
type Round = { cpuUs: number; wallMs: number; down: number };

const askOurs: Ask = async (port) => {
  const result = await queryA2s({ address, port });
  return result.ok && result.answer.players === 7;
};

/** Unless told otherwise gamedig asks for the player list too. */
function makeGamedig(requestPlayers: boolean): Ask {
  const gamedig = new (loadGamedig())();
  return async (port) => {
    const question = { type: "protocol-valve", host: address, address, port, givenPortOnly: true, portCache: false };
    try {
      const state = await gamedig.query({ ...question, requestPlayers });
      return state.numplayers === 9;
    } catch {
      return false;
    }
  };
}

const question = Buffer.from("\xff\xff\xff\xffTSource Engine Query\0", "latin1");

/** The same packets over the same kind of socket, with nothing read, checked or timed. */
const askBare: Ask = (port) =>
  new Promise((resolve) => {
    const socket = createSocket("udp4");
    socket.on("message", (reply) => {
      if (reply[4] === 0x41) return socket.send(Buffer.concat([question, reply.subarray(5, 9)]));
      socket.close();
      resolve(true);
    });
    socket.connectSync(port, address);
    socket.send(question);
  });

async function runRound(ports: readonly number[], ask: Ask): Promise<Round> {
  let next = 0;
  let down = 0;
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const askInTurn = async (): Promise<void> => {
    for (let port = ports[next++]; port !== undefined; port = ports[next++]) {
      if (!(await ask(port))) down++;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, askInTurn));
  const cpu = process.cpuUsage(cpuBefore);
  return { cpuUs: (cpu.user + cpu.system) / ports.length, wallMs: performance.now() - startedAt, down };
}

async function compare(ports: readonly number[]): Promise<Row[]> {
  const asks = { ours: askOurs, gamedig: makeGamedig(false), gamedigDefault: makeGamedig(true), bare: askBare };
  for (const ask of Object.values(asks)) await runRound(ports, ask);
  const rounds: Record<keyof typeof asks, Round[]> = { ours: [], gamedig: [], gamedigDefault: [], bare: [] };
  for (let pair = 0; pair < pairsWanted(); pair++) {
    // A B B A: who goes first changes from pair to pair.
    const order = ["ours", "gamedig", "gamedigDefault", "bare"] as const;
    for (const name of pair % 2 === 0 ? order : order.toReversed())
      rounds[name].push(await runRound(ports, asks[name]));
  }
  const pairsWith = (baseline: keyof typeof asks, figure: "cpuUs" | "wallMs"): Pairs => {
    const values = (name: keyof typeof asks) => rounds[name].map((round) => round[figure]);
    const ratios = values("ours").map((value, index) => value / (values(baseline)[index] ?? Number.NaN));
    return { ours: values("ours"), baseline: values(baseline), ratios };
  };
  const down = rounds.ours.reduce((sum, round) => sum + round.down, 0);
  const load = `${serverCount} A2S queries, ${inFlight} in flight`;
  const common = { claim: "P6", better: "less" } as const;
  return [
    {
      ...common,
      what: `${load}: CPU of each ÷ gamedig by its defaults`,
      ...rowOfPairs(pairsWith("gamedigDefault", "cpuUs"), "µs"),
      floor: 0.45,
      goal: 0.35,
    },
    {
      ...common,
      what: `${load}: CPU of each ÷ gamedig told to ask the same`,
      ...rowOfPairs(pairsWith("gamedig", "cpuUs"), "µs"),
    },
    { ...common, what: `${load}: CPU of each ÷ bare socket`, ...rowOfPairs(pairsWith("bare", "cpuUs"), "µs") },
    {
      ...common,
      what: `${load}: wall of the queries alone ÷ bare sockets`,
      ...rowOfPairs(pairsWith("bare", "wallMs"), "ms"),
      floor: 2,
      goal: 1.5,
    },
    {
      ...common,
      what: `${load}: called down that were not`,
      ours: String(down),
      value: down,
      unit: "",
      floor: 0,
      goal: 0,
    },
  ];
}

/** The pretend servers, in a process of their own so that their work is not counted. */
async function serve(): Promise<void> {
  const info = { name: "Bench", map: "m", folder: "f", game: "g", players: 9, bots: 2, maxPlayers: 32, version: "1.0" };
  const servers = await Promise.all(Array.from({ length: serverCount }, () => startA2sServer({ info: () => info })));
  process.send?.(servers.map((server) => server.port));
  process.once("disconnect", () => process.exit());
}

/** Needs tests/heavy (npm ci --prefix tests/heavy). */
export async function measure(): Promise<Row[]> {
  const responder = fork(import.meta.filename, ["serve"]);
  const [ports] = (await once(responder, "message")) as [number[]];
  try {
    return await compare(ports);
  } finally {
    responder.disconnect();
  }
}

if (import.meta.main && process.argv[2] === "serve") await serve();
