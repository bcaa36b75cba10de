/**
 * P11: what script a browser gets with the home page: every file that the page names, and those that they name, as brotli; and
 * with pages without live figures: the reference of the API, the legal ones and one for an unknown address.
 */

import { request } from "node:http";
import { brotliDecompressSync } from "node:zlib";
import type { Row } from "./instruments/row.ts";
import { startSite } from "./instruments/site-process.ts";

/** On each page, before its first paint: a choice that visitors' pages, which are kept, cannot know. */
const THEME = "/theme.js";
/** Pages that work without any script. */
const WITHOUT = ["/developers", "/impressum", "/privacy-policy", "/terms-of-service", "/nothing-here"];

export async function measure(): Promise<Row[]> {
  const site = await startSite();
  try {
    const home = await scriptOf(site.url, "/");
    const others = await Promise.all(
      WITHOUT.map((page) => scriptOf(site.url, page, page === "/nothing-here" ? 404 : 200)),
    );
    const theme = (await fetchBrotli(site.url + THEME)).length;
    const most = Math.max(...others.map(({ bytes, inline }) => bytes + inline)) - theme;
    return [
      {
        claim: "P11",
        what: `script of the home page, brotli, ${home.files} files (and ${home.inline} bytes in the page, uncompressed)`,
        ours: `${home.bytes} bytes`,
        value: home.bytes / 1024,
        unit: " KB",
        floor: 145,
        goal: 110,
        better: "less",
      },
      {
        claim: "P11",
        what: `script of ${WITHOUT.join(", ")}: the most, with what stands in the page, beside what sets light or dark`,
        ours: `${most} bytes, and ${theme} of ${THEME}`,
        value: most / 1024,
        unit: " KB",
        floor: 2,
        goal: 0,
        better: "less",
      },
    ];
  } finally {
    await site.stop();
  }
}

/** Files with their bytes as they travel, and the bytes of scripts in the page itself; what is data for programs is no script. */
async function scriptOf(
  site: string,
  path: string,
  status = 200,
): Promise<{ files: number; bytes: number; inline: number }> {
  const page = await fetch(site + path);
  const html = await page.text();
  if (page.status !== status) throw new Error(`${path} answered ${page.status}`);
  // A link to a file is not a script of the page.
  const loaded = html.replace(/<a\s[^>]*>/g, "");
  const waiting = new Set([...loaded.matchAll(/["'(](\/[\w./-]+\.js)["')]/g)].map(([, file = ""]) => file));
  const files = new Map<string, number>();
  for (const file of waiting) {
    const body = await fetchBrotli(site + file);
    files.set(file, body.length);
    const code = brotliDecompressSync(body).toString();
    // What a file imports at once comes along; what it imports later doesn't, but for the start of every page.
    const imports = file.includes("/entry.client-")
      ? /["'`]([^"'`]+\.js)["'`]/g
      : /(?:\bfrom|\bimport)\s*["']([^"']+\.js)["']/g;
    for (const [, name = ""] of code.matchAll(imports)) {
      waiting.add(new URL(name, `${site}${file}`).pathname);
    }
  }
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, kind = ""]) => !/type="(?!module"|text\/javascript")/.test(kind))
    .map(([, , code = ""]) => code);
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
  return { files: files.size, bytes, inline: Buffer.byteLength(inline.join("")) };
}

/** The body as it travels. */
function fetchBrotli(url: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { "accept-encoding": "br" } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        if (response.statusCode === 200 && response.headers["content-encoding"] === "br")
          resolve(Buffer.concat(chunks));
        else reject(new Error(`${url} answered ${response.statusCode} as ${response.headers["content-encoding"]}`));
      });
    })
      .on("error", reject)
      .end();
  });
}
