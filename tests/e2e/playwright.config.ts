/** How the browser journeys run: one Chromium each, three at a time, no network but loopback. */
import { defineConfig } from "@playwright/test";
import { BROWSER_ARGS, findJourneyBrowser } from "../helpers/chromium.ts";

// Sites that run in the journeys' own processes are what people use, too.
process.env.NODE_ENV ??= "production";

const executablePath = findJourneyBrowser() ?? undefined;
/** `npm test` leaves the walks over everything to `npm run test:slow`. */
function chosenFiles() {
  if (process.env.SPAWNPOINT_SLOW === "only") return { testMatch: "*.slow.spec.ts" };
  return { testIgnore: process.env.SPAWNPOINT_FAULTS ? [] : ["*.slow.spec.ts"] };
}

export default defineConfig({
  testDir: ".",
  ...chosenFiles(),
  outputDir: "../../test-results",
  // Node strips the types itself; transpiling the same files again costs each worker five seconds.
  build: { external: ["**/*.ts"] },
  workers: 3,
  // Ends what hangs. A limit costs nothing where the machine is fast, and a journey takes ten times as long on a busy one.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  forbidOnly: true,
  reporter: "line",
  use: {
    // A recording costs a tenth of the time, and fetches what a blob: address shows, which the site's policy refuses:
    // ask for it by `--trace on` where it helps.
    trace: "off",
    // Drawing what moves is a sixth of what a journey costs; journeys about motion ask for it.
    contextOptions: { reducedMotion: "reduce" },
    // What waits in vain fails where it waits, not at the end of its journey.
    actionTimeout: 120_000,
    navigationTimeout: 180_000,
    // Journeys hold back and change answers, which a worker would ask for by itself; those about it allow it.
    serviceWorkers: "block",
    launchOptions: {
      executablePath,
      args: BROWSER_ARGS,
    },
  },
});
