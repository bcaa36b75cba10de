/** Feeds and calendars are made once for each address of the site; made-up addresses take no place on the shelf. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { calendarEndpoint } from "../calendar/calendar-endpoint.ts";
import { atOrigin, type SiteOfRequest, type SiteSnapshot } from "../pages/site-snapshot.ts";
import { feedsEndpoint } from "./feeds-endpoint.ts";

const SITE = "http://localhost:3000";

/** A site that is asked at `now.origin`, and how often something was made of it. */
function startSite() {
  let read = 0;
  const now = { origin: SITE };
  const snapshot = {
    catalog: "a",
    site_url: SITE,
    games: [],
    gameServers: [],
    news: [],
    incidents: [],
    plans: [],
    asked: new Map(),
    get settings() {
      read += 1;
      return { site_name: "Ours" };
    },
  } as unknown as SiteSnapshot;
  const isOurs = () => now.origin === SITE;
  const site: SiteOfRequest = { readFor: () => atOrigin(snapshot, now.origin, isOurs()), keepsFor: isOurs };
  return { now, site, reads: () => read };
}

for (const [path, endpointOf] of [
  ["/feed.atom", feedsEndpoint],
  ["/feed.json", feedsEndpoint],
  ["/calendar.ics", calendarEndpoint],
] as const)
  test(`${path}: a thousand made-up addresses are answered, and the site's own is still kept`, async () => {
    const { now, site, reads } = startSite();
    const endpoint = endpointOf(site, SITE);
    const ask = async () => {
      const answer = await endpoint.request(path, {}, { incoming: {} });
      assert.equal(answer.status, 200);
      return answer.text();
    };
    for (let n = 0; n < 1_000; n += 1) {
      now.origin = `http://127.1.${n >> 8}.${n & 255}:3000`;
      const text = await ask();
      if (path !== "/calendar.ics") assert.ok(text.includes(now.origin), "it works all the same");
    }
    now.origin = SITE;
    const first = await ask();
    const once = reads();
    for (let n = 0; n < 10; n += 1) assert.equal(await ask(), first);
    assert.equal(reads(), once, "made once");
  });

test("what is made of the site for a made-up address is not found again by the next who asks there", () => {
  const snapshot = { site_url: SITE } as SiteSnapshot;
  const at = (isKept: boolean) => atOrigin(snapshot, "http://127.0.0.9:3000", isKept);
  assert.equal(at(true), at(true));
  assert.notEqual(at(false), at(false));
  assert.equal(at(false).site_url, "http://127.0.0.9:3000");
});
