/** Runs one step of a start (start-step.ts) and ends. */
import { inspect } from "node:util";
import { findDatabaseErrorText } from "../database-error-text.ts";
import { isMendable } from "../mendable.ts";
import { keepCompiled } from "../process/compile-cache.ts";
import { registerQuickImports } from "../process/quick-imports.ts";
import type { StartStep, StepAnswer } from "./start-step.ts";

async function run(given: StartStep, stop: AbortSignal): Promise<boolean> {
  const { config, databaseUrl, step } = given;
  if (step === "wait") {
    const { visitorsOf, waitForDatabase } = await import("./wait-for-database.ts");
    const { createLog } = await import("../process/log.ts");
    const options = { signal: stop, visitors: visitorsOf(config), writes: true };
    return waitForDatabase(databaseUrl, createLog(config, "start"), options);
  }
  const { leaveDemo, startBanner } = await import("./start-banner.ts");
  if (step === "banner") {
    for (const line of await startBanner(databaseUrl, { demo: config.demo, siteUrl: given.siteUrl })) console.log(line);
    return true;
  }
  const { admitSite } = await import("./admit-site.ts");
  const { markDemoFolder, unmarkDemoFolder } = await import("./demo-folder.ts");
  const { prepareDatabase } = await import("../commands/migrate.ts");
  await admitSite(config, databaseUrl);
  await prepareDatabase(databaseUrl, { ...config, kind: config.demo ? "demo" : "real" });
  if (config.demo) await markDemoFolder(config.dataDir);
  else {
    await unmarkDemoFolder(config.dataDir);
    await leaveDemo(databaseUrl);
  }
  return true;
}

async function answer(step: StartStep, stop: AbortSignal): Promise<StepAnswer> {
  try {
    return { done: await run(step, stop) };
  } catch (error) {
    if (isMendable(error)) return { failed: error.message };
    return { failed: (await findDatabaseErrorText(error, step.config)) ?? inspect(error) };
  }
}

keepCompiled();
registerQuickImports();
const stop = new AbortController();
process.on("SIGTERM", () => stop.abort());
// Ctrl-C in a terminal is handled by the parent.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit(1));
process.once("message", async (step) => {
  const said = await answer(step as StartStep, stop.signal);
  process.send?.(said, () => process.exit(0));
});
