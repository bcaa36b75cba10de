/** P6 beside Prometheus' blackbox exporter: CPU of one TCP check, and the time of 1,000 of them with 100 under way. */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { createServer } from "node:net";
import path from "node:path";
import { checkTcp } from "#outside/game-query/tcp.ts";
import { type Pairs, pairsWanted, rowOfPairs } from "../instruments/pairs.ts";
import type { Row } from "../instruments/row.ts";
import { startPeer } from "./peer-process.ts";

const CHECKS = 1_000;
const IN_FLIGHT = 100;
/** Of /proc/PID/stat on Linux, for every machine that Debian runs on. */
const TICK_US = 10_000;

type Round = { cpuUs: number; wallMs: number };

export async function measure(): Promise<Row[]> {
  const target = createServer((socket) => socket.on("error", () => {}).resume()).listen(0, "127.0.0.1");
  await new Promise((resolve) => target.once("listening", resolve));
  const address = target.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const exporter = await startPeer({
    debian: "prometheus-blackbox-exporter",
    program: "prometheus-blackbox-exporter",
    args: told,
  });
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  try {
    const ours = () =>
      runRound(
        async () => (await checkTcp({ address: "127.0.0.1", port }, { expect: "connect" })).ok,
        () => {
          const { user, system } = process.cpuUsage();
          return user + system;
        },
      );
    const theirs = () =>
      runRound(
        () => probe(`${exporter.url}/probe?module=tcp&target=127.0.0.1:${port}`, agent),
        () => cpuOf(exporter.pid),
      );
    const rounds = { ours: [] as Round[], theirs: [] as Round[] };
    for (let pair = 0; pair <= pairsWanted(); pair += 1) {
      const order = [["ours", ours] as const, ["theirs", theirs] as const];
      for (const [name, run] of pair % 2 === 0 ? order : order.toReversed()) {
        const round = await run();
        // The first of each warms up.
        if (pair > 0) rounds[name].push(round);
      }
    }
    const pairsOf = (figure: keyof Round): Pairs => {
      const [a, b] = [rounds.ours.map((round) => round[figure]), rounds.theirs.map((round) => round[figure])];
      return { ours: a, baseline: b, ratios: a.map((value, index) => value / (b[index] ?? Number.NaN)) };
    };
    const than = "÷ Prometheus' blackbox exporter, which is asked over HTTP";
    return [
      { claim: "P6", what: `a TCP check, CPU ${than}`, ...rowOfPairs(pairsOf("cpuUs"), "µs"), better: "less" },
      {
        claim: "P6",
        what: `${CHECKS} TCP checks, ${IN_FLIGHT} under way ${than}`,
        ...rowOfPairs(pairsOf("wallMs"), "ms"),
        better: "less",
      },
    ];
  } finally {
    agent.destroy();
    target.close();
    await exporter.stop();
  }
}

async function runRound(check: () => Promise<boolean>, cpu: () => number): Promise<Round> {
  let left = CHECKS;
  const began = performance.now();
  const before = cpu();
  const inTurn = async () => {
    while (left > 0) {
      left -= 1;
      if (!(await check())) throw new Error("a port that is open was called closed");
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, inTurn));
  return { cpuUs: (cpu() - before) / CHECKS, wallMs: performance.now() - began };
}

function probe(url: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      answer.on("end", () => resolve(/^probe_success 1$/m.test(text)));
    }).on("error", reject);
  });
}

/** CPU time of a process so far, in µs. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

async function told(port: number, folder: string): Promise<string[]> {
  const file = path.join(folder, "modules.yml");
  await writeFile(
    file,
    "modules:\n  tcp:\n    prober: tcp\n    timeout: 2s\n    tcp:\n      preferred_ip_protocol: ip4\n",
  );
  return [`--config.file=${file}`, `--web.listen-address=127.0.0.1:${port}`, "--log.level=error"];
}
