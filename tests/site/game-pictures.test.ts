/** The picture of a game, through the front door: an admin's own, and those of the library. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import { findLandscape, LANDSCAPES, landscapeFor } from "#content/landscapes/landscapes.ts";
import { seedDemoContent } from "#demo/demo-content.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { until } from "../helpers/until.ts";

describe("pictures of games", () => {
  let site: AccountSite;
  let admin: Browser;
  const visitor = () => site.browser();

  before(async () => {
    site = await startAccountSite();
    await seedDemoContent(site.database.db);
    const { at } = await site.signedInAdmin("admin@example.org");
    admin = at;
  });
  after(() => site.stop());

  async function create(game_name: string) {
    const answer = await admin.post("/admin/games/create", { game_name, game_acronym: "X" });
    const id = Number(/\/admin\/games\/(\d+)\/edit\?done=created$/.exec(answer.location ?? "")?.[1]);
    assert.ok(id, answer.text.slice(0, 300));
    return id;
  }
  const choose = (id: number, chosen: string, at = admin) =>
    at.post(`/admin/games/${id}/picture`, { intent: "choose", chosen });
  const pictureOf = async (id: number) =>
    (await site.sql<{ picture: string | null }[]>`select picture from games where game_id = ${id}`)[0]?.picture ?? null;
  const fileOf = (name: string, size: string) => `/media/${findLandscape(name)?.id}-${size}`;

  test("a picture: no other file than a picture, cropped, in all widths, told to nobody once it is replaced", async () => {
    const id = await create("Pictured");
    const upload = async (bytes: Uint8Array, name = "x.png") => {
      const body = new FormData();
      body.set("picture", new Blob([Uint8Array.from(bytes)], { type: "image/png" }), name);
      const response = await fetch(`${site.base}/admin/games/${id}/picture`, {
        method: "POST",
        headers: {
          "Sec-Fetch-Site": "same-origin",
          Cookie: [...admin.cookies].map((pair) => pair.join("=")).join("; "),
        },
        body,
      });
      const wait = Number(response.headers.get("retry-after"));
      return { status: response.status, text: await response.text(), wait };
    };
    const picture = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: "#c60" } })
        .png()
        .toBuffer();
    for (const [bytes, status, expected] of [
      [Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), 422, /no picture that we can use/],
      [Buffer.from("GIF89a/*<script>"), 422, /Error updating game!/],
      [Buffer.alloc(0), 422, /choose a file/],
      [await picture(300, 300), 422, /too small/],
      [Buffer.alloc(5.5 * 1024 * 1024, 1), 413, /larger than 5 MB/],
    ] as const) {
      const answer = await upload(bytes);
      assert.equal(answer.status, status, String(expected));
      assert.match(answer.text, expected);
    }
    await site.sql`update rate_limits set points = 60 where limit_key like 'banner:%'`;
    const late = await upload(Buffer.alloc(0));
    assert.equal(late.status, 429);
    assert.ok(late.wait > 3000 && late.wait <= 3600, `Retry-After ${late.wait}`);
    await site.sql`delete from rate_limits where limit_key like 'banner:%'`;
    assert.equal((await upload(await picture(1600, 1600))).status, 200);
    const banner = async () => (await site.sql`select banner from games where game_id = ${id}`)[0]?.banner;
    const first = await banner();
    assert.deepEqual(first.widths, [345, 690, 1035, 1380]);
    assert.equal(first.height, 863);
    await until("the picture", async () =>
      (await visitor().get("/games/pictured")).text.includes(`/media/${first.id}-345.avif 345w`),
    );
    const file = await fetch(`${site.base}/media/${first.id}-690.webp`);
    assert.equal(file.status, 200);
    assert.equal(file.headers.get("content-type"), "image/webp");
    assert.match(String(file.headers.get("content-security-policy")), /sandbox/);
    const { width, height } = await sharp(Buffer.from(await file.arrayBuffer())).metadata();
    assert.deepEqual([width, height], [690, 431]);
    for (const name of [
      `${first.id}-691.webp`,
      `${first.id}-690.svg`,
      "..%2f..%2fsecret",
      `${"0".repeat(32)}-345.avif`,
    ])
      assert.equal((await visitor().get(`/media/${name}`)).status, 404, name);

    await site.sql`update games set published = false where game_id = ${id}`;
    await until("hidden", async () => (await visitor().get(`/media/${first.id}-345.avif`)).status === 404);
    assert.equal((await admin.get(`/media/${first.id}-345.avif`)).status, 200);
    await site.sql`update games set published = true where game_id = ${id}`;

    assert.equal((await upload(await picture(700, 500))).status, 200);
    const second = await banner();
    assert.deepEqual(second.widths, [345, 690]);
    const stored = await readdir(path.join(site.dataDir, "buckets", "media"));
    // Files of landscapes lie there as well.
    assert.equal(stored.filter((name) => name.startsWith(second.id)).length, 4, stored.join());
    assert.ok(!stored.some((name) => name.startsWith(first.id)), stored.join());
    assert.equal((await choose(id, "desert")).status, 200);
    assert.equal(await banner(), null);
    const left = await readdir(path.join(site.dataDir, "buckets", "media"));
    assert.ok(!left.some((name) => name.startsWith(second.id)), left.join());
  });

  test("a new game shows a landscape at once, wherever it is shown; no two the same; a new name leaves it", async () => {
    const ids = [];
    for (const name of ["Iron Tundra", "Ashen Tide", "Low Orbit", "Copper Vale"]) ids.push(await create(name));
    const names = await Promise.all(ids.map(pictureOf));
    assert.equal(new Set(names).size, 4);
    const [id = 0] = ids;
    const [name = ""] = names as string[];
    await until("its page", async () => (await visitor().get("/games/iron-tundra")).status === 200);
    const page = (await visitor().get("/games/iron-tundra")).text;
    assert.ok(page.includes(`${fileOf(name, "1380.avif")} 1380w`), name);
    for (const [size, width] of [
      ["345.avif", 345],
      ["690.webp", 690],
    ] as const) {
      const file = await fetch(site.base + fileOf(name, size));
      assert.equal(file.status, 200);
      assert.match(String(file.headers.get("cache-control")), /immutable/);
      assert.equal((await sharp(Buffer.from(await file.arrayBuffer())).metadata()).width, width);
    }
    for (const size of ["960.webp", "2560.webp", "logo.webp"])
      assert.equal((await visitor().get(fileOf(name, size))).status, 404, size);
    assert.equal((await fetch(`${site.base}/og/en/games/iron-tundra.jpg`)).status, 200);
    await site.sql`update games set game_name = 'Steel Tundra' where game_id = ${id}`;
    await until("its new name", async () => (await visitor().get("/games/iron-tundra")).text.includes("Steel Tundra"));
    assert.ok((await visitor().get("/games/iron-tundra")).text.includes(fileOf(name, "1380.avif")));
    // Files of the library are nobody's upload, which could be cleared away.
    assert.ok(!(await admin.get("/admin/media?size=100")).text.includes(String(findLandscape(name)?.id)));
    // A game of a time before it was written down what it shows.
    await site.sql`update games set picture = null where game_id = ${id}`;
    const own = landscapeFor("Steel Tundra").name;
    await until("the one of its name", async () =>
      (await visitor().get("/games/iron-tundra")).text.includes(fileOf(own, "1380.avif")),
    );
  });

  test("another is chosen from the library: refused for what is not in it, shown to visitors, and the painting comes back", async () => {
    const [game] = await site.sql<{ game_id: number }[]>`select game_id from games where game_slug = 'valheim'`;
    const id = game?.game_id ?? 0;
    const form = (await admin.get(`/admin/games/${id}/picture`)).text;
    for (const { name } of LANDSCAPES) assert.match(form, new RegExp(`name="chosen"[^>]*value="${name}"`), name);
    assert.match(form, /name="chosen"[^>]*checked=""[^>]*value="valheim"/);
    for (const name of ["", "nowhere", "minecraft", "slide-1", "../pictures/shipped", "constructor"]) {
      const answer = await choose(id, name);
      assert.equal(answer.status, 422, name);
      assert.match(answer.text, /Please choose one of these pictures/);
    }
    const { at: member } = await site.signedIn("member@example.org");
    assert.equal((await choose(id, "desert", member)).status, 403);
    assert.equal((await choose(999_999, "desert")).status, 404);
    assert.equal(await pictureOf(id), "valheim");

    assert.equal((await choose(id, "desert")).status, 200);
    await until("visitors see it", async () =>
      (await visitor().get("/games/valheim")).text.includes(fileOf("desert", "1380.avif")),
    );
    assert.match((await admin.get(`/admin/games/${id}/picture`)).text, /checked=""[^>]*value="desert"/);
    const [told] = await site.sql<{ details: object }[]>`
      select details from audit_events where what = 'game-picture-changed' order by event_id desc limit 1`;
    assert.deepEqual(told?.details, {
      before: { banner: null, picture: "valheim" },
      after: { banner: null, picture: "desert" },
    });
    assert.equal((await choose(id, "valheim")).status, 200);
    await until("its painting is back", async () => {
      const page = (await visitor().get("/games/valheim")).text;
      return page.includes("valheim-1380") && !page.includes(fileOf("desert", "1380.avif"));
    });
  });
});
