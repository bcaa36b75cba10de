/** P1: the home page for visitors, requests per second ÷ a bare node:http server that sends the same bytes and headers. */
import type { BareOrder } from "./instruments/bare-server.ts";
import { ENCODING, fetchPage } from "./instruments/fetch-page.ts";
import { measurePairs, rowOfPairs } from "./instruments/pairs.ts";
import type { Row } from "./instruments/row.ts";
import { startBaseline, startSite } from "./instruments/site-process.ts";
import { load } from "./instruments/wrk.ts";

const SECONDS = 3;
/** The most that wrk took of a core. */
let clientBusy = 0;

export async function measure(): Promise<Row[]> {
  const site = await startSite();
  const bare = await startBaseline("bare-server.ts");
  try {
    const page = await fetchPage(`${site.url}/`);
    const headers = page.headers.flat();
    bare.child.send({ order: "page", headers, body: page.body.toString("base64") } satisfies BareOrder);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const copy = await fetchPage(`${bare.url}/`);
    if (!copy.body.equals(page.body)) throw new Error("the baseline does not send the same bytes");
    await requestsPerSecond(site.url);
    await requestsPerSecond(bare.url);
    const pairs = await measurePairs(
      () => requestsPerSecond(site.url),
      () => requestsPerSecond(bare.url),
    );
    const what = `home page for visitors, ${page.body.length} bytes (br), 50 connections ÷ bare node:http; wrk ${Math.round(clientBusy * 100)} % busy`;
    return [{ claim: "P1", what, ...rowOfPairs(pairs, "req/s"), floor: 0.65, goal: 0.85, better: "more" }];
  } finally {
    await bare.stop();
    await site.stop();
  }
}

async function requestsPerSecond(url: string): Promise<number> {
  const { perSecond, busy } = await load({ url: `${url}/`, connections: 50, seconds: SECONDS, headers: ENCODING });
  clientBusy = Math.max(clientBusy, busy);
  return perSecond;
}
