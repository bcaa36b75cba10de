// Examines lines of pasted addresses: many concurrently over all processes, each line by one of them.
import type { Logger } from "pino";
import type { Db } from "#db/client.ts";
import {
  type ClaimedLine,
  claimAddressLine,
  recordDiagnosis,
  SIDE_BY_SIDE,
} from "#domain/game-servers/address-batches.ts";
import type { GameDoctor } from "#domain/game-servers/doctor/doctor.ts";

/** Interval of checks for lines that waited for others of their host, or were added meanwhile. */
const LOOK_AGAIN_MS = 500;

type Parts = { db: Db; doctor: GameDoctor; log: Logger };

/**
 * Examines all due lines; claims no more after `signal`, since another process takes over what a stop cut off. Rejects while the
 * database is unavailable; claimed lines are due again when their claim ends.
 */
export async function examineAddressLines({ signal, ...parts }: Parts & { signal: AbortSignal }): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const begin = (line: ClaimedLine) => {
    const work: Promise<void> = examine(parts, line)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(work));
    underWay.add(work);
  };
  while (!signal.aborted && failures.length === 0) {
    const line = underWay.size < SIDE_BY_SIDE ? await claimAddressLine(parts.db) : null;
    if (line) begin(line);
    else if (underWay.size === 0) break;
    else await Promise.race([...underWay, pause(LOOK_AGAIN_MS)]);
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
}

async function examine({ db, doctor, log }: Parts, line: ClaimedLine): Promise<void> {
  const { host, port, asked_as: type } = line;
  const address = host.includes(":") ? `[${host}]` : host;
  const began = performance.now();
  const diagnosis = await doctor.examine(port === null ? address : `${address}:${port}`, { type });
  await recordDiagnosis(db, line, diagnosis);
  const took_ms = Math.round(performance.now() - began);
  log.debug({ line_id: line.line_id, findings: diagnosis.findings.length, took_ms }, "a pasted address was examined");
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
