/**
 * P12: Lighthouse on every public page, as a phone on a slow line sees it, the median of five runs in all four categories.
 * `npm run bench -- lighthouse`; `LIGHTHOUSE_PAGES=/,/dashboard` narrows it. Pages that answer with an error by design
 * (unknown addresses, links that are used up) are refused by Lighthouse and left out.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { listPages } from "#tests/e2e/access-map.ts";
import { startSite } from "#tests/e2e/site.ts";
import { findChromium, installChromium } from "#tests/helpers/chromium.ts";
import { installIfNeeded } from "../cli/prepare.mjs";
import { median, spreadOf } from "./instruments/pairs.ts";
import type { Row } from "./instruments/row.ts";

const HERE = path.join(import.meta.dirname, "lighthouse");
const PROGRAM = path.join(HERE, "node_modules", "lighthouse", "cli", "index.js");
const RUNS = 5;
const MOST_TRIES = 3;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
const CHROMIUM_FLAGS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

type Category = (typeof CATEGORIES)[number];
type Report = {
  runtimeError?: { message: string };
  categories: Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { score: number | null; title: string; displayValue?: string }>;
};

export async function measure(tell: (row: Row) => void): Promise<Row[]> {
  installIfNeeded(HERE);
  const chromium = findChromium() ?? installChromium();
  if (chromium === null) throw new Error("Lighthouse needs a Chromium, and none could be found or installed.");
  const site = await startSite({ demo: true });
  const scratch = await mkdtemp(path.join(tmpdir(), "lighthouse-"));
  try {
    const serverId = await firstServer(site.sql);
    const pages = await publicPages(site.url, serverId, await valuesOf(site.sql, serverId));
    const robots = await (await fetch(`${site.url}/robots.txt`)).text();
    const closed = Array.from(robots.matchAll(/^Disallow: (.+)$/gm), ([, prefix = ""]) => prefix);
    const failures: string[] = [];
    for (const page of pages) {
      const isClosed = closed.some((prefix) => page.startsWith(prefix)) || (await saysNoIndex(site.url + page));
      const reports: Report[] = [];
      try {
        while (reports.length < RUNS) reports.push(await look(chromium, site.url + page, scratch));
        tell(rowOf(page, reports, isClosed));
      } catch (error) {
        failures.push(`${page}: ${error}`);
      }
    }
    if (failures.length > 0) throw new Error(failures.join("; "));
    return [];
  } finally {
    await site.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** What stands in the addresses of public pages; those of others are not asked for. */
async function valuesOf(sql: Awaited<ReturnType<typeof startSite>>["sql"], serverId: string) {
  const [article] = await sql<{ slug: string }[]>`select slug from news order by news_id limit 1`;
  const known: Record<string, string> = { slug: "minecraft", serverId, newsSlug: article?.slug ?? "none" };
  return new Proxy(known, { get: (values, name) => values[String(name)] ?? "1" });
}

async function firstServer(sql: Awaited<ReturnType<typeof startSite>>["sql"]): Promise<string> {
  const [server] = await sql<{ server_id: number }[]>`
    select server_id from gameserver where server_name = 'Minecraft Anarchy'`;
  return String(server?.server_id ?? 1);
}

/** The addresses of the map that visitors may open and that answer with a page, and the German home page. */
async function publicPages(url: string, serverId: string, values: Record<string, string>): Promise<string[]> {
  await untilShown(`${url}/servers/${serverId}`);
  const asked = process.env.LIGHTHOUSE_PAGES?.split(",");
  if (asked) return asked;
  const mapped = (await listPages(values)).filter(({ who }) => who === "nobody").map(({ address }) => address);
  const pages: string[] = [];
  for (const page of [...new Set([...mapped, "/de/"])]) {
    const answer = await fetch(url + page, { redirect: "manual" });
    await answer.arrayBuffer();
    if (answer.status === 200) pages.push(page);
    else console.log(`${page} answers ${answer.status}: left out`);
  }
  return pages;
}

/** A page may be open to readers of robots.txt and still ask not to be listed, as the one that a join link leads to does. */
async function saysNoIndex(address: string): Promise<boolean> {
  return /<meta name="robots" content="noindex"/.test(await (await fetch(address)).text());
}

/** The demo shows its game servers once they have their addresses. */
async function untilShown(address: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(address);
    await answer.arrayBuffer();
    if (answer.status === 200) return;
    await pause(100);
  }
  throw new Error(`${address} does not appear`);
}

/** One run in a fresh browser; now and then Lighthouse loses its recording and says to run it again. Rejects after the third. */
async function look(chromium: string, url: string, scratch: string): Promise<Report> {
  for (let run = 1; ; run += 1) {
    try {
      return await lookOnce(chromium, url, scratch);
    } catch (error) {
      if (run === MOST_TRIES) throw error;
      console.log(`${url}: Lighthouse failed (${String(error).match(/\(([A-Z_]+)\)/)?.[1] ?? error}) and is run again`);
    }
  }
}

async function lookOnce(chromium: string, url: string, scratch: string): Promise<Report> {
  const file = path.join(scratch, "report.json");
  const told = [url, "--quiet", "--output=json", `--output-path=${file}`, "--no-enable-error-reporting"];
  await promisify(execFile)(process.execPath, [PROGRAM, ...told, `--chrome-flags=${CHROMIUM_FLAGS}`], {
    env: { ...process.env, CHROME_PATH: chromium },
    timeout: 120_000,
  });
  const report: Report = JSON.parse(await readFile(file, "utf8"));
  if (report.runtimeError) throw new Error(`${url}: ${report.runtimeError.message}`);
  return report;
}

/**
 * The worst of the four categories counts, of three for a page that search engines are kept out of: Lighthouse would have it
 * open. What cost points in the last run is printed.
 */
function rowOf(page: string, reports: Report[], closed: boolean): Row {
  const scores = CATEGORIES.filter((category) => !(closed && category === "seo")).map((category) => ({
    category,
    runs: reports.map(({ categories }) => Math.round((categories[category].score ?? 0) * 100)),
  }));
  const medians = scores.map(({ category, runs }) => ({ category, score: median(runs), runs }));
  const worst = medians.toSorted((a, b) => a.score - b.score)[0];
  const lost = lostPoints(reports.at(-1));
  console.log(
    `${page}: ${medians.map(({ category, score }) => `${category} ${score}`).join(", ")}${lost ? ` – ${lost}` : ""}`,
  );
  return {
    claim: "P12",
    what: `Lighthouse, phone, median of ${RUNS}: ${page}${closed ? " (closed to search engines)" : ""}`,
    ours: medians.map(({ score }) => score).join(" / "),
    baseline: `performance / access / practices${closed ? "" : " / search"}`,
    value: worst?.score ?? Number.NaN,
    unit: "",
    ...(worst ? { spread: spreadOf(worst.runs) } : {}),
    floor: 97,
    goal: 100,
    better: "more",
  };
}

function lostPoints(report?: Report): string {
  if (!report) return "";
  const counted = new Set(
    CATEGORIES.flatMap((category) =>
      report.categories[category].auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id),
    ),
  );
  return Object.entries(report.audits)
    .filter(([id, { score }]) => counted.has(id) && score !== null && score < 0.995)
    .map(([id, { score, displayValue }]) => `${id} ${score}${displayValue ? ` (${displayValue})` : ""}`)
    .join("; ");
}
