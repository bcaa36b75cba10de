/** P1: the home page for visitors, requests per second ÷ a bare node:http server that sends the same bytes and headers. */
import { get } from "node:http";
import autocannon from "autocannon";
import type { BareOrder } from "./instruments/bare-server.ts";
import { measurePairs, rowOfPairs } from "./instruments/pairs.ts";
import type { Row } from "./instruments/row.ts";
import { startBaseline, startSite } from "./instruments/site-process.ts";

const SECONDS = 3;
const ENCODING = { "accept-encoding": "br" };

export async function measure(): Promise<Row[]> {
  const site = await startSite();
  const bare = await startBaseline("bare-server.ts");
  try {
    const page = await fetchRaw(`${site.url}/`);
    const headers = page.headers.filter(([name]) => !["date", "connection", "keep-alive"].includes(name)).flat();
    bare.child.send({ order: "page", headers, body: page.body.toString("base64") } satisfies BareOrder);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const copy = await fetchRaw(`${bare.url}/`);
    if (!copy.body.equals(page.body)) throw new Error("the baseline does not send the same bytes");
    await requestsPerSecond(site.url);
    await requestsPerSecond(bare.url);
    const pairs = await measurePairs(
      () => requestsPerSecond(site.url),
      () => requestsPerSecond(bare.url),
    );
    const what = `home page for visitors, ${page.body.length} bytes (br), 50 connections ÷ bare node:http`;
    return [{ claim: "P1", what, ...rowOfPairs(pairs, "req/s"), floor: 0.8, goal: 1, better: "more" }];
  } finally {
    await bare.stop();
    await site.stop();
  }
}

async function requestsPerSecond(url: string): Promise<number> {
  const result = await autocannon({ url: `${url}/`, connections: 50, duration: SECONDS, headers: ENCODING });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`);
  }
  return result.requests.average;
}

/** The page as it travels: still compressed, so that the baseline can send the same bytes. */
function fetchRaw(url: string): Promise<{ headers: [string, string][]; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: ENCODING }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        const headers = Object.entries(response.headers) as [string, string][];
        if (response.statusCode === 200) resolve({ headers, body: Buffer.concat(chunks) });
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    }).on("error", reject);
  });
}
