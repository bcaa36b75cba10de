// The words for how a game server was asked and what came of it; the names are those of the record and of the samples.
import type { Failure } from "#shared/statuses.ts";
import { m } from "../../paraglide/messages.js";

const OUTCOMES: Record<Failure | "answered", () => string> = {
  answered: m.doctor_outcome_answered,
  timeout: m.doctor_outcome_timeout,
  refused: m.doctor_outcome_refused,
  no_reply: m.doctor_outcome_no_reply,
  malformed: m.doctor_outcome_malformed,
  network: m.doctor_outcome_network,
  dns: m.doctor_outcome_dns,
  blocked: m.doctor_outcome_blocked,
  no_address: m.doctor_outcome_no_address,
  silent: m.doctor_outcome_silent,
};

/** A failure's name (or `answered`) in words; one that a newer version has written stands for itself. */
export function outcomeWords(outcome: string): string {
  const known: Record<string, (() => string) | undefined> = OUTCOMES;
  return known[outcome]?.() ?? outcome;
}

const ADAPTERS: Record<string, () => string> = {
  a2s: m.doctor_adapter_a2s,
  minecraft: m.doctor_adapter_minecraft,
  tcp: m.doctor_adapter_tcp,
  gamedig: m.doctor_adapter_gamedig,
};

/** An adapter's name in words; for gamedig with the game that it was asked as. */
export function adapterWords(adapter: string, type: string | null): string {
  const words = ADAPTERS[adapter]?.() ?? adapter;
  return type === null ? words : `${words} (${type})`;
}
