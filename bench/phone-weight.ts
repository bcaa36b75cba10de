/**
 * N4: what a phone with an empty cache is sent for the home page before any script of the page is asked for: behind a slow line
 * (1.6 Mbit/s, 150 ms, a processor a quarter as fast) everything that is fetched until then, headers included, and how many
 * stylesheets are among it. The script in the head that sets the theme counts as part of the page.
 */
import { type CDPSession, chromium } from "@playwright/test";
import { findChromium, installChromium } from "#tests/helpers/chromium.ts";
import type { Row } from "./instruments/row.ts";
import { startSite } from "./instruments/site-process.ts";

/** The line, the processor and the screen of Lighthouse's phone. Bytes a second, ms. */
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const SLOWER = 4;
const PHONE = { viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true, deviceScaleFactor: 1.75 };
const SCRIPT_OF_PAGE = /\/assets\/[\w.-]+\.js$/;

type Fetched = { path: string; kind: string; bytes: number };

export async function measure(): Promise<Row[]> {
  const executablePath = findChromium() ?? installChromium();
  if (executablePath === null) throw new Error("It needs a Chromium, and none could be found or installed.");
  const site = await startSite();
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
  try {
    const context = await browser.newContext(PHONE);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", LINE);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
    const fetched = listBeforeScript(devtools);
    await page.goto(`http://127.0.0.1:${site.port}/`, { waitUntil: "networkidle", timeout: 120_000 });
    const before = fetched();
    for (const { path, kind, bytes } of before) console.log(`${String(bytes).padStart(7)} ${kind.padEnd(10)} ${path}`);
    const bytes = before.reduce((sum, one) => sum + one.bytes, 0);
    const sheets = before.filter(({ kind }) => kind === "Stylesheet").length;
    return [
      {
        claim: "N4",
        what: `home on a phone before any script: ${before.length} files`,
        ours: `${bytes} bytes`,
        value: bytes / 1024,
        unit: " KB",
        floor: 150,
        goal: 100,
        better: "less",
      },
      {
        claim: "N4",
        what: "stylesheets among them",
        ours: `${sheets}`,
        value: sheets,
        unit: "",
        floor: 4,
        goal: 1,
        better: "less",
      },
    ];
  } finally {
    await browser.close();
    await site.stop();
  }
}

/** Notes from now on what is fetched; the function gives what was asked for before the first script of the page, as it travelled. */
function listBeforeScript(devtools: CDPSession): () => Fetched[] {
  const asked = new Map<string, Fetched>();
  let open = true;
  devtools.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    const { pathname, protocol } = new URL(request.url);
    if (SCRIPT_OF_PAGE.test(pathname)) open = false;
    if (open && protocol !== "data:") asked.set(requestId, { path: pathname, kind: type ?? "", bytes: 0 });
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const one = asked.get(requestId);
    if (one) one.bytes = encodedDataLength;
  });
  return () => [...asked.values()];
}
