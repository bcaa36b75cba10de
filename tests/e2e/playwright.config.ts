/** How the browser journeys run: one Chromium each, three at a time, no network but loopback. */
import { defineConfig } from "@playwright/test";
import { BROWSER_ARGS, findJourneyBrowser } from "../helpers/chromium.ts";

// Sites that run in the journeys' own processes are what people use, too.
process.env.NODE_ENV ??= "production";

const executablePath = findJourneyBrowser() ?? undefined;
/** `npm test` leaves the walks over everything to `npm run test:slow`, and menus, dialogs and zoom to `npm run test:access`. */
function chosenFiles() {
  if (process.env.SPAWNPOINT_ACCESS === "full") return { testMatch: "access*.spec.ts" };
  if (process.env.SPAWNPOINT_SLOW === "only") return { testMatch: "*.slow.spec.ts" };
  return { testIgnore: process.env.SPAWNPOINT_FAULTS ? "access-*.spec.ts" : ["access-*.spec.ts", "*.slow.spec.ts"] };
}

export default defineConfig({
  testDir: ".",
  ...chosenFiles(),
  outputDir: "../../test-results",
  workers: 3,
  // As with the other tests: where nobody knows how fast the machine is, a journey that failed gets a second chance.
  retries: process.env.CI ? 1 : 0,
  // Twice what the longest takes beside another one; machines differ by a factor of two as well.
  timeout: 120_000,
  // As long as the steps of half a dozen requests take on a busy machine; who expects something soon says so.
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: "line",
  use: {
    // A recording costs a tenth of the time, and fetches what a blob: address shows, which the site's policy refuses:
    // ask for it by `--trace on` where it helps.
    trace: "off",
    // What waits in vain fails where it waits, not at the end of its journey.
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    launchOptions: {
      executablePath,
      args: BROWSER_ARGS,
    },
  },
});
