// The texts for how a game server was asked and what came of it; the names are those of the record and of the samples.
import type { AskedAdapterId } from "#shared/adapters.ts";
import type { Failure } from "#shared/statuses.ts";
import { m } from "../../paraglide/messages.js";
import { adapterName } from "../adapter-text/adapter-text.ts";

const OUTCOMES: Record<Failure | "answered", () => string> = {
  answered: m.doctor_outcome_answered,
  timeout: m.doctor_outcome_timeout,
  refused: m.doctor_outcome_refused,
  no_reply: m.doctor_outcome_no_reply,
  malformed: m.doctor_outcome_malformed,
  unauthorized: m.doctor_outcome_unauthorized,
  network: m.doctor_outcome_network,
  dns: m.doctor_outcome_dns,
  blocked: m.doctor_outcome_blocked,
  no_address: m.doctor_outcome_no_address,
  sealed: m.doctor_outcome_sealed,
  silent: m.doctor_outcome_silent,
};

/** A failure's name (or `answered`) in words; one that a newer version has written stands for itself. */
export function outcomeText(outcome: string): string {
  const known: Record<string, (() => string) | undefined> = OUTCOMES;
  return known[outcome]?.() ?? outcome;
}

/** An adapter's name in words; with the game that it was asked as, where it has to know that. */
export const adapterText = (adapter: AskedAdapterId, type: string | null): string =>
  type === null ? adapterName(adapter) : `${adapterName(adapter)} (${type})`;
