/** HAProxy on its machine, by deploy/haproxy.cfg itself, with this test's addresses in place of an operator's. */
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { addressOf, type Machine } from "./network.ts";
import { defineProgram, type Program } from "./programs.ts";

const EXAMPLE = path.join(import.meta.dirname, "../../deploy/haproxy.cfg");

export type Balancer = Program & {
  /** What it thinks of each server, such as "UP", by `backend/server`. */
  states(): Promise<Map<string, string>>;
};

export function startBalancer(
  machine: Machine,
  folder: string,
  name: string,
  site: { certificate: string; key: string },
): Balancer {
  const both = path.join(folder, "site-with-key.pem");
  writeFileSync(both, Buffer.concat([readFileSync(site.certificate), readFileSync(site.key)]));
  const socket = path.join(folder, "haproxy.sock");
  const replacements: [from: string, to: string][] = [
    ["log /dev/log local0", "log stdout format raw local0 notice"],
    ["/run/haproxy/admin.sock", socket],
    ["/etc/haproxy/play.example.org.pem", both],
    // A test's own limit of open files is lower than a service's.
    ["maxconn 60000", "maxconn 4000"],
    ["play.example.org", name],
    ["    user haproxy\n    group haproxy\n", ""],
    ["198.51.100.", addressOf(0).slice(0, -1)],
  ];
  let config = readFileSync(EXAMPLE, "utf8").replaceAll(/^ *#.*\n/gm, "");
  for (const [from, to] of replacements) {
    if (!config.includes(from)) throw new Error(`deploy/haproxy.cfg no longer says "${from}"`);
    config = config.replaceAll(from, to);
  }
  const file = path.join(folder, "haproxy.cfg");
  writeFileSync(file, config);
  const haproxy = defineProgram(machine, ["haproxy", "-db", "-f", file], {});
  haproxy.start();

  return {
    ...haproxy,
    async states() {
      const asked = connect(socket);
      asked.end("show stat\n");
      const [head = "", ...lines] = (await text(asked)).replace(/^# /, "").trim().split("\n");
      const column = head.split(",").indexOf("status");
      return new Map(
        lines.map((line) => line.split(",")).map((cells) => [`${cells[0]}/${cells[1]}`, cells[column] ?? ""]),
      );
    },
  };
}
