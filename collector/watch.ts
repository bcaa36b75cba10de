/** What a collector tells whoever measures it. */
import type { JobWatch } from "#jobs/start-jobs.ts";
import type { Claimed } from "./claim.ts";
import type { Outcome } from "./judge.ts";

export type CollectorWatch = {
  /** One look for due game servers has ended: well, or because the database was away. */
  looked(well: boolean): void;
  /** A game server was claimed, so many ms after its turn. */
  claimed(lateMs: number): void;
  /** One question was answered, or failed. */
  asked(adapter: Claimed["adapter"], outcome: Outcome): void;
  /** A result has gone: written, dropped because its claim had lapsed, or refused by the database. */
  settled(how: "written" | "dropped" | "refused"): void;
  jobs: JobWatch;
  /** Hands over what can be looked at at any time. */
  follow(loop: { inFlight(): number; waiting(): number; delayedForMs(): number | null }): void;
};
