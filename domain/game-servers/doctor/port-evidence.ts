// Judges from a machine's probes whether something is at a port, nothing is, or neither is proven.
import { ADAPTERS } from "#outside/game-query/adapters.ts";
import type { Probe } from "./diagnosis.ts";

/**
 * - `speaks`: something replied, in any protocol
 * - `accepts`: a connection was accepted (TCP only)
 * - `closed`: the machine refused this very port: an ICMP "port unreachable" over UDP, a reset over TCP
 * - `silent`: no reply, which proves nothing by itself
 * - `unasked`: no probe left our own machine
 */
type PortState = "speaks" | "accepts" | "closed" | "silent" | "unasked";

const STATE_OF_FAILURE: Record<string, PortState | undefined> = {
  malformed: "speaks",
  timeout: "speaks",
  unauthorized: "speaks",
  refused: "closed",
  no_reply: "silent",
};
/** The surest first. A machine refuses only a few times a second, so one refusal outweighs any silence at the same port. */
const SUREST = ["speaks", "accepts", "closed", "silent"] as const;

function stateOf({ by, result }: Probe): PortState {
  if (result.ok) return ADAPTERS[by].transport === "tcp" ? "accepts" : "speaks";
  const state = STATE_OF_FAILURE[result.failure] ?? "unasked";
  return state === "speaks" && ADAPTERS[by].transport === "tcp" ? "accepts" : state;
}

/**
 * State of a port over one transport. Long-tail probes count only with a reply: the query library uses unconnected sockets, which
 * receive no refusal.
 */
export function stateOfPort(probes: readonly Probe[], port: number, transport: "udp" | "tcp"): PortState {
  const states = probes
    .filter((probe) => probe.port === port && ADAPTERS[probe.by].transport === transport)
    .map(stateOf);
  return SUREST.find((state) => states.includes(state)) ?? "unasked";
}

/** The port nearest to `port` that refuses over UDP; null if none does. */
export function closedNear(probes: readonly Probe[], port: number): number | null {
  const ports = [...new Set(probes.map((probe) => probe.port))].filter((one) => one !== port);
  const closed = ports.filter((one) => stateOfPort(probes, one, "udp") === "closed");
  return closed.sort((a, b) => Math.abs(a - port) - Math.abs(b - port))[0] ?? null;
}

/** True if any probe proves that the machine is there. */
export const isMachineThere = (probes: readonly Probe[]): boolean =>
  probes.map(stateOf).some((state) => state !== "silent" && state !== "unasked");

/** True if no probe left our own machine; ignores the query library's failures, which can't tell. */
export function isOursAway(probes: readonly Probe[]): boolean {
  const telling = probes.filter(({ by, result }) => ADAPTERS[by].transport !== null || result.ok);
  return telling.length > 0 && telling.every(({ result }) => !result.ok && result.failure === "network");
}
