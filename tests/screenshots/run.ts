/**
 * `npm run screenshots`: pictures of every page and state into `screenshots/`, with a contact sheet, so that anybody can look.
 * With the beginning of a name behind it (`npm run screenshots -- admin--`) only those are made anew.
 */
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { chromium } from "@playwright/test";
import { findChromium, installChromium } from "../helpers/chromium.ts";
import { SHARED_SERVER, startTestPostgres } from "../helpers/database.ts";
import { forgetSettings } from "../helpers/forget-settings.ts";
import { takePictures } from "./camera.ts";
import { writeContactSheet } from "./contact-sheet.ts";
import { stages } from "./stages.ts";

const ONLY = process.argv[2] ?? "";
const FOLDER = path.join(import.meta.dirname, "../../screenshots");

async function main(): Promise<number> {
  forgetSettings();
  const executablePath = findChromium() ?? installChromium();
  if (executablePath === null) {
    console.log("No Chromium could be found or installed; set CHROMIUM_PATH to one.");
    return 1;
  }
  const startedAt = performance.now();
  const missed: string[] = [];
  process.env[SHARED_SERVER] = await startTestPostgres();
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
  try {
    if (ONLY === "") await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    for await (const { site, shots } of stages(ONLY)) {
      const wanted = shots.filter(({ name }) => name.startsWith(ONLY) || name.startsWith(`german-${ONLY}`));
      missed.push(...(await takePictures(browser, site, wanted, FOLDER)));
    }
  } finally {
    await browser.close();
  }
  const count = await writeContactSheet(FOLDER);
  for (const line of missed) console.log(`✖ ${line}`);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`${count} pictures in ${seconds} s: open ${path.join(FOLDER, "index.html")}`);
  return missed.length === 0 ? 0 : 1;
}

process.exit(await main());
