/** What programs and browsers ask beside the pages takes its place before it asks the database, and gives it back whatever happens. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { authEndpoints } from "../accounts/auth-endpoints.ts";
import { avatarsEndpoint } from "../accounts/avatars-endpoint.ts";
import { cookieName } from "../accounts/cookies.ts";
import { heartbeatEndpoint } from "../api/heartbeat-endpoint.ts";
import { outpostWorkEndpoint } from "../outpost-work-endpoint.ts";
import { askerOfAddress } from "./fair-queue.ts";
import { createPlaces, inPlace, NoPlaceError } from "./places.ts";

const asker = askerOfAddress("192.0.2.1");
const headers = { Cookie: `${cookieName("http://localhost", "session")}=${"a".repeat(32)}.seal` };
const incoming = { method: "POST", headers: {}, rawHeaders: [], socket: { remoteAddress: "192.0.2.1" } };

let asked = 0;
/** Counts that it was asked, and is away. */
const away = new Proxy(() => {}, {
  get: () => {
    asked += 1;
    throw new Error("away");
  },
}) as never;

const ADDRESSES = {
  "POST /heartbeat": (place) => heartbeatEndpoint(away, 0, place),
  "POST /outpost": (place) =>
    outpostWorkEndpoint(away, { siteIntervalS: 30, addressRule: { allowCidrs: [] } } as never, 0, place),
  "GET /avatars/00000000-0000-4000-8000-000000000001.webp": (place) =>
    avatarsEndpoint({ db: away, storage: away }, place),
  "GET /auth/passkey/generate-authenticate-options": (place) =>
    authEndpoints({ limits: away, providers: [] } as never, 0, () => new Response(null, { status: 413 }), place),
  "POST /auth/discord/link": (place) =>
    authEndpoints(
      { db: away, providers: [{ id: "discord" }], siteUrl: "http://localhost" } as never,
      0,
      () => new Response(null, { status: 413 }),
      place,
    ),
} satisfies Record<string, (place: ReturnType<typeof inPlace>) => unknown>;

for (const [address, make] of Object.entries(ADDRESSES))
  test(`${address} asks nothing without a place`, async () => {
    const places = createPlaces({
      most: 1,
      ofOne: 1,
      kept: { places: 0, from: "visitors" },
      waiting: 0,
      patienceMs: 0,
    });
    const [method = "", path = ""] = address.split(" ");
    const site = new Hono<{ Bindings: HttpBindings }>();
    const endpoint = make(inPlace(places, () => asker)) as Hono<{ Bindings: HttpBindings }>;
    site.route(`/${path.split("/")[1]}`, endpoint);
    site.onError((error) => new Response(null, { status: error instanceof NoPlaceError ? 429 : 500 }));
    const status = async () => (await site.request(path, { method, headers }, { incoming })).status;

    const leave = await places.take(asker);
    asked = 0;
    assert.equal(await status(), 429);
    assert.equal(asked, 0);
    leave();
    assert.equal(await status(), 500, "the database is away");
    assert.equal(asked, 1);
    (await places.take(asker))();
  });
