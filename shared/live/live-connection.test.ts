import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { LiveRow } from "../live-row.ts";
import { holdStream, type SayShows } from "./live-connection.ts";
import { createLiveStore } from "./live-store.ts";
import { topicsOf } from "./live-topics.ts";

const AT = { epoch: "e", catalog: "c" };

const row = (server_id: number, user_online: number): LiveRow => ({
  server_id,
  status: "online",
  user_online,
  user_max: 64,
  user_peak: null,
  user_peak_at: null,
  user_peak_24h: null,
  user_peak_7d: null,
  version: null,
  map: null,
  status_since: null,
});

/** A page of game servers with nobody on them, from before anything changed. */
const pageOf = (...ids: number[]) => ({
  ...AT,
  seq: 0,
  rows: ids.map((id) => row(id, 0)),
  asked: Object.fromEntries(ids.map((id) => [id, null])),
  totals: {},
  delayed_since: null,
  rendered_at: new Date(0).toISOString(),
});

/**
 * The stream of a site whose game servers change: it tells what it takes to be shown, and hears what is shown from now on when
 * the test lets that arrive.
 */
function startSite(shown: string[]) {
  const changes: { seq: number; id: number; user_online: number }[] = [];
  const onTheWay: Parameters<SayShows>[0][] = [];
  let tell: (type: "welcome" | "delta" | "shows", data: object) => void = () => {};
  const delta = ({ seq, id, user_online }: (typeof changes)[number]) =>
    tell("delta", { seq, rows: [{ server_id: id, user_online }] });
  return {
    openStream: ((_query, told) => {
      tell = (type, data) => told.event(type, JSON.stringify(data));
      told.opened();
      tell("welcome", { stream: "s", epoch: AT.epoch });
      return () => {};
    }) satisfies Parameters<typeof holdStream>[0],
    sayShows: (async (body) => {
      onTheWay.push(body);
      return true;
    }) satisfies SayShows,
    change(id: number, user_online: number) {
      const change = { seq: changes.length + 1, id, user_online };
      changes.push(change);
      if (shown.includes(`s${id}`)) delta(change);
    },
    said: () => onTheWay.length,
    /** The oldest word arrives, and what it asks for goes out. */
    hear() {
      const body = onTheWay.shift();
      assert.ok(body, "something was said");
      const topics = body.shows.split(",");
      const added = topics.filter((topic) => body.whole || !shown.includes(topic));
      const since = body.since === null ? 0 : Number(body.since.split(".")[1]);
      for (const change of changes) if (change.seq > since && added.includes(`s${change.id}`)) delta(change);
      shown = topics;
      tell("shows", { turn: body.turn, ...AT, seq: changes.length });
    },
  };
}

async function until(check: () => boolean): Promise<void> {
  for (let waited = 0; !check(); waited += 10) {
    assert.ok(waited < 5_000, "nothing came of it");
    await pause(10);
  }
}

test("there and back again before the stream has said that it follows: what changed meanwhile is not lost", async () => {
  const store = createLiveStore(pageOf(1));
  const site = startSite(store.topics());
  const held = holdStream(site.openStream, store, { told: {}, shows: store.topics(), sayShows: site.sayShows });
  const goTo = (...ids: number[]) => {
    const page = pageOf(...ids);
    store.showTopics(topicsOf({ servers: ids }));
    held.follow(store.topics(), page);
    store.receive({ type: "snapshot", ...page });
  };
  try {
    goTo(2);
    await until(() => site.said() === 1);
    // Away from it and back, by pages that are older than the change, while the word of it is still on its way.
    goTo(1);
    site.hear();
    site.change(2, 7);
    goTo(2);
    await until(() => site.said() === 1);
    site.hear();
    assert.equal(store.row(2)?.user_online, 7);
    assert.deepEqual(store.position(), { ...AT, seq: 1 });
  } finally {
    held.close();
  }
});
