/** P1 beside Varnish: the home page for visitors, requests per second, ÷ a Varnish that keeps the same answer of ours. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import autocannon from "autocannon";
import { measurePairs, rowOfPairs } from "../instruments/pairs.ts";
import type { Row } from "../instruments/row.ts";
import { startSite } from "../instruments/site-process.ts";
import { startPeer } from "./peer-process.ts";

const SECONDS = 3;
const ENCODING = { "accept-encoding": "br" };

export async function measure(): Promise<Row[]> {
  const site = await startSite();
  try {
    const varnish = await startPeer({
      debian: "varnish",
      program: "varnishd",
      args: (port, folder) => told(site.port, port, folder),
    });
    try {
      // What Varnish has never seen it asks for once.
      for (const url of [site.url, varnish.url]) await requestsPerSecond(url);
      const pairs = await measurePairs(
        () => requestsPerSecond(site.url),
        () => requestsPerSecond(varnish.url),
      );
      const what = "home page for visitors, 50 connections ÷ Varnish that keeps it (its own threads, both cores)";
      return [{ claim: "P1", what, ...rowOfPairs(pairs, "req/s"), better: "more" }];
    } finally {
      await varnish.stop();
    }
  } finally {
    await site.stop();
  }
}

/** Keeps every answer for an hour, whatever it says of itself, in memory, in one worker pool. */
async function told(backend: number, port: number, folder: string): Promise<string[]> {
  const file = path.join(folder, "keep.vcl");
  await writeFile(
    file,
    `vcl 4.1;
backend site { .host = "127.0.0.1"; .port = "${backend}"; }
sub vcl_recv { return (hash); }
sub vcl_backend_response { unset beresp.http.set-cookie; set beresp.ttl = 1h; set beresp.uncacheable = false; return (deliver); }
`,
  );
  const listens = ["-a", `127.0.0.1:${port}`, "-T", "none", "-n", path.join(folder, "work")];
  // As another program's worker it needs no jail of its own here.
  return ["-F", "-j", "none", "-f", file, "-s", "malloc,64m", "-p", "http_gzip_support=off", ...listens];
}

async function requestsPerSecond(url: string): Promise<number> {
  const result = await autocannon({ url: `${url}/`, connections: 50, duration: SECONDS, headers: ENCODING });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`);
  return result.requests.average;
}
