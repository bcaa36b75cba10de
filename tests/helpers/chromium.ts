/** Finds the Chromium that the browser journeys run in, or brings one to this machine. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { chromium } from "@playwright/test";

const KNOWN_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** Path of a browser that starts: `CHROMIUM_PATH`, the machine's own, or Playwright's earlier download. */
export function findChromium(): string | null {
  const asked = process.env.CHROMIUM_PATH;
  if (asked) return asked;
  return [...KNOWN_PLACES, chromium.executablePath()].find((file) => existsSync(file) && starts(file)) ?? null;
}

/** Debian's headless shell: the same engine without the browser around it, for 60 % of the processor time. It shows no notifications. */
const HEADLESS = "/usr/bin/chromium-headless-shell";

/** What most journeys run in: `CHROMIUM_PATH`, the headless shell, or a whole Chromium. */
export function findJourneyBrowser(): string | null {
  if (!process.env.CHROMIUM_PATH && existsSync(HEADLESS) && starts(HEADLESS)) return HEADLESS;
  return findChromium();
}

/** Installs both where we may. Returns the whole Chromium's path; null when there is none, and no journey can run. */
export function prepareJourneyBrowsers(): string | null {
  const whole = findChromium() ?? installChromium();
  const lacksHeadless = !process.env.CHROMIUM_PATH && !existsSync(HEADLESS);
  if (lacksHeadless && canInstallPackages()) installPackage("chromium-headless-shell");
  return whole;
}

/** How every journey's browser is started. */
export const BROWSER_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Debian's package where we may install it, else Playwright's download; null when neither could be had. */
export function installChromium(): string | null {
  if (canInstallPackages() && installPackage("chromium")) {
    const found = findChromium();
    if (found !== null) return found;
  }
  const cli = path.join(import.meta.dirname, "../../node_modules/@playwright/test/cli.js");
  const withLibraries = canInstallPackages() ? ["--with-deps"] : [];
  spawnSync(process.execPath, [cli, "install", ...withLibraries, "chromium"], { stdio: "inherit" });
  return findChromium();
}

/** True for root on Debian and its kin. */
export function canInstallPackages(): boolean {
  return process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}

/** Installs a Debian package; false, with apt's text in the output, when it could not be. */
export function installPackage(name: string): boolean {
  // No service of it is started (RUNLEVEL, and under systemd SYSTEMD_OFFLINE): what tests need they start themselves.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1", SYSTEMD_OFFLINE: "1" };
  const options = { stdio: "inherit", env } as const;
  console.log(`Installing ${name} …`);
  const install = () => spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], options);
  if (install().status === 0) return true;
  return spawnSync("apt-get", ["update", "-qq"], options).status === 0 && install().status === 0;
}

/** A file by that name may be a stub that only says where to get the real one. */
function starts(file: string): boolean {
  return spawnSync(file, ["--version"], { timeout: 20_000 }).status === 0;
}
