/** `spawnpoint web`: answers visitors until it is told to stop. */
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Config, readConfig } from "#config";
import { startWeb } from "#web/server.ts";
import { createLog } from "./log.ts";
import { runService } from "./run-service.ts";
import { MEND_FIRST, StartError } from "./start-error.ts";

export async function run(): Promise<number> {
  const config = readConfig();
  const log = createLog(config, "web");
  try {
    return await runService(config, log, async () => {
      await untilPortIsFree(config);
      return startWeb(config, { log });
    });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    log.error(error.message);
    return MEND_FIRST;
  }
}

/** A web process that was just killed may hold the port for a moment longer; anybody else is named as the reason. */
async function untilPortIsFree({ port, host }: Config): Promise<void> {
  const deadline = Date.now() + 3000;
  for (;;) {
    const code = await tryPort(port, host);
    if (code === null) return;
    if (code !== "EADDRINUSE") {
      throw new StartError(`HOST ${host} and PORT ${port} cannot be listened on (${code}).`);
    }
    if (Date.now() > deadline) {
      throw new StartError(`PORT ${port} on ${host} is taken by another program. Stop it, or set another PORT.`);
    }
    await pause(100);
  }
}

function tryPort(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ port, host }, () => probe.close(() => resolve(null)));
  });
}
