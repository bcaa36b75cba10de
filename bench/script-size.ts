/** P11: what script a browser gets with the home page: every file that the page names, and those that they name, as brotli. */

import { request } from "node:http";
import { brotliDecompressSync } from "node:zlib";
import type { Row } from "./instruments/row.ts";
import { startSite } from "./instruments/site-process.ts";

export async function measure(): Promise<Row[]> {
  const site = await startSite();
  try {
    const page = await fetchBrotli(`${site.url}/`);
    const html = brotliDecompressSync(page).toString();
    const waiting = new Set([...html.matchAll(/["'(](\/[\w./-]+\.js)["')]/g)].map(([, file = ""]) => file));
    const files = new Map<string, number>();
    for (const file of waiting) {
      const body = await fetchBrotli(site.url + file);
      files.set(file, body.length);
      const code = brotliDecompressSync(body).toString();
      // What a file imports at once comes along; what it imports later does not.
      for (const [, name = ""] of code.matchAll(/(?:\bfrom|\bimport)\s*["']([^"']+\.js)["']/g)) {
        waiting.add(new URL(name, `${site.url}${file}`).pathname);
      }
    }
    const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(([, code = ""]) => code);
    const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
    return [
      {
        claim: "P11",
        what: `script of the home page, brotli, ${files.size} files (and ${Buffer.byteLength(inline.join(""))} bytes in the page, uncompressed)`,
        ours: `${bytes} bytes`,
        value: bytes / 1024,
        unit: " KB",
        floor: 120,
        goal: 95,
        better: "less",
      },
    ];
  } finally {
    await site.stop();
  }
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
