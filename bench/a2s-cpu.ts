/**
 * What one A2S query costs: CPU of our adapter beside gamedig and a bare socket, and the wall time of one round.
 * `node bench/a2s-cpu.ts`; needs tests/giants (npm ci --prefix tests/giants). Takes about a minute.
 */
import { fork } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";
import { queryA2s } from "#outside/game-query/a2s.ts";
import { loadGamedig } from "#tests/giants/gamedig.ts";

const serverCount = 2000;
const inFlight = 100;
const pairs = 12;
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

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

async function compare(ports: readonly number[]): Promise<void> {
  const asks = { ours: askOurs, gamedig: makeGamedig(false), gamedigDefault: makeGamedig(true), bare: askBare };
  for (const ask of Object.values(asks)) await runRound(ports, ask);
  const rounds: Record<keyof typeof asks, Round[]> = { ours: [], gamedig: [], gamedigDefault: [], bare: [] };
  for (let pair = 0; pair < pairs; pair++) {
    // A B B A: who goes first changes from pair to pair.
    const order = ["ours", "gamedig", "gamedigDefault", "bare"] as const;
    for (const name of pair % 2 === 0 ? order : order.toReversed())
      rounds[name].push(await runRound(ports, asks[name]));
  }
  const ratio = (baseline: keyof typeof asks, figure: "cpuUs" | "wallMs"): number =>
    median(rounds.ours.map((round, index) => round[figure] / (rounds[baseline][index]?.[figure] ?? Number.NaN)));
  const down = (name: keyof typeof asks): number => rounds[name].reduce((sum, round) => sum + round.down, 0);
  const cpu = (name: keyof typeof asks): string => median(rounds[name].map((round) => round.cpuUs)).toFixed(0);
  const wall = (name: keyof typeof asks): string => median(rounds[name].map((round) => round.wallMs)).toFixed(0);

  console.log(`${serverCount} A2S servers, ${inFlight} in flight, ${pairs} pairs, medians`);
  console.log(
    `CPU per query: ours ${cpu("ours")} µs, gamedig ${cpu("gamedig")} µs (${cpu("gamedigDefault")} µs by its defaults, ` +
      `with the player list), bare socket ${cpu("bare")} µs`,
  );
  console.log(`Wall per round: ours ${wall("ours")} ms, gamedig ${wall("gamedig")} ms, bare socket ${wall("bare")} ms`);
  const row = (figure: string, value: string, floor = "", goal = ""): void =>
    console.log(`| ${figure} | ${value} | ${floor} | ${goal} |`);
  row("P6", "ours", "floor", "goal");
  row("---", "---", "---", "---");
  const load = `${inFlight} in flight`;
  row(`CPU per A2S query ÷ gamedig asking the same, ${load}`, ratio("gamedig", "cpuUs").toFixed(2), "0.5", "0.35");
  row(
    `CPU per A2S query ÷ gamedig by its defaults, ${load}`,
    ratio("gamedigDefault", "cpuUs").toFixed(2),
    "0.5",
    "0.35",
  );
  row("CPU per A2S query ÷ bare socket", ratio("bare", "cpuUs").toFixed(2));
  row(`wall of one round of ${serverCount} ÷ bare sockets`, ratio("bare", "wallMs").toFixed(2), "3.0", "1.5");
  row(
    `false "down" in ${pairs} rounds (gamedig: ${down("gamedig") + down("gamedigDefault")})`,
    `${down("ours")}`,
    "0",
    "0",
  );
}

/** The pretend servers, in a process of their own so that their work is not counted. */
async function serve(): Promise<void> {
  const info = { name: "Bench", map: "m", folder: "f", game: "g", players: 9, bots: 2, maxPlayers: 32, version: "1.0" };
  const servers = await Promise.all(Array.from({ length: serverCount }, () => startA2sServer({ info: () => info })));
  process.send?.(servers.map((server) => server.port));
  process.once("disconnect", () => process.exit());
}

async function main(): Promise<void> {
  const responder = fork(import.meta.filename, ["serve"]);
  const [ports] = (await once(responder, "message")) as [number[]];
  try {
    await compare(ports);
  } finally {
    responder.disconnect();
  }
  // gamedig keeps its socket open.
  process.exit();
}

if (import.meta.main) await (process.argv[2] === "serve" ? serve() : main());
