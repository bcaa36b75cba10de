/** Machines of a site as network namespaces behind one bridge, inside a namespace of our own: nothing of them leads outside. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";

const BRIDGE = "spawnpoint";
/** Addresses set aside for tests of networks (RFC 2544): nobody has them. */
const NETWORK = "198.18.77";

export type Machine = {
  name: string;
  address: string;
  /** Starts a program there; `user`: as whom, instead of root. */
  start(command: string[], options?: StartOptions): ChildProcess;
  /** Runs one to its end. @throws with its output when it fails */
  run(command: string[], options?: StartOptions): string;
  /** Pulls the cable: what is sent is lost, and nobody is told. */
  cutOff(): void;
  mend(): void;
  /** Loses what it sends to one address alone, without a word. */
  loseWayTo(address: string): void;
  findWayTo(address: string): void;
};

export type StartOptions = { env?: NodeJS.ProcessEnv; user?: string; cwd?: string };

/** The address of the machine with this number; 1 is where visitors are. */
export const addressOf = (number: number): string => `${NETWORK}.${number}`;

/** Lays the bridge. Meant for a process that is root in network, mount and process namespaces of its own. */
export function layNetwork(): void {
  mkdirSync("/run/netns", { recursive: true });
  ip("mount", "-t", "tmpfs", "none", "/run/netns");
  ip("ip", "link", "set", "lo", "up");
  ip("ip", "link", "add", BRIDGE, "type", "bridge");
  ip("ip", "address", "add", `${addressOf(1)}/24`, "dev", BRIDGE);
  ip("ip", "link", "set", BRIDGE, "up");
}

/** Adds a machine; it has the address of its number, and those of `more`. */
export function addMachine(name: string, number: number, more: number[] = []): Machine {
  const cable = `v-${name}`;
  ip("ip", "netns", "add", name);
  ip("ip", "link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", name);
  ip("ip", "link", "set", cable, "master", BRIDGE, "up");
  for (const each of [number, ...more]) ip("ip", "-n", name, "address", "add", `${addressOf(each)}/24`, "dev", "eth0");
  for (const device of ["eth0", "lo"]) ip("ip", "-n", name, "link", "set", device, "up");

  const inside = (command: string[], user?: string) => [
    ...["netns", "exec", name],
    ...(user === undefined ? [] : ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--init-groups"]),
    ...command,
  ];
  return {
    name,
    address: addressOf(number),
    start: (command, { user, ...options } = {}) =>
      spawn("ip", inside(command, user), { ...options, stdio: ["ignore", "pipe", "pipe"] }),
    run(command, { user, ...options } = {}) {
      const { status, stdout, stderr, error } = spawnSync("ip", inside(command, user), {
        ...options,
        encoding: "utf8",
        timeout: 60_000,
      });
      if (status !== 0) throw new Error(`${command[0]} on ${name} failed: ${error?.message ?? stderr}`);
      return stdout;
    },
    cutOff: () => ip("ip", "link", "set", cable, "down"),
    mend: () => ip("ip", "link", "set", cable, "up"),
    // Packets for a network card that nobody has are dropped without a word.
    loseWayTo: (address) =>
      ip(
        "ip",
        "-n",
        name,
        "neighbour",
        "replace",
        address,
        "lladdr",
        "02:00:00:00:77:77",
        "dev",
        "eth0",
        "nud",
        "permanent",
      ),
    findWayTo: (address) => ip("ip", "-n", name, "neighbour", "del", address, "dev", "eth0"),
  };
}

function ip(...[program = "", ...args]: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${error?.message ?? stderr}`);
}
