// Creates this process's doctor and limits how often an admin may call it.
import { createGameDoctor, type GameDoctor } from "#domain/game-servers/doctor/doctor.ts";
import type { AppParts } from "../context.ts";
import { ofAccount } from "../request/rate-limits.ts";

const PER_ADMIN = { tries: 20, seconds: 60 };
/** Texts of pasted addresses, of up to 200 each. */
const BATCHES_PER_ADMIN = { tries: 20, seconds: 3600 };

const doctors = new WeakMap<AppParts, GameDoctor>();

/** Gets this process's doctor with its DNS cache; made on first use. */
export function doctorOf(app: AppParts): GameDoctor {
  const doctor = doctors.get(app) ?? createGameDoctor(app.addressRule);
  doctors.set(app, doctor);
  return doctor;
}

/** Counts one examination. Null: allowed; otherwise the seconds to wait. */
export const consumeExamination = (app: AppParts, userId: string): Promise<number | null> =>
  app.limits.consume([ofAccount("game-doctor", userId, PER_ADMIN)]);

/** Counts one text of pasted addresses. Null: allowed; otherwise the seconds to wait. */
export const consumeBatch = (app: AppParts, userId: string): Promise<number | null> =>
  app.limits.consume([ofAccount("address-batches", userId, BATCHES_PER_ADMIN)]);
