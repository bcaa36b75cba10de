/** The picture of a game, through the front door: an admin's own, and the scene that the site draws. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import { seedDemoContent } from "#demo/demo-content.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { until } from "../helpers/test-bed.ts";

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
    await until("the picture", 10_000, async () =>
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
    await until("hidden", 10_000, async () => (await visitor().get(`/media/${first.id}-345.avif`)).status === 404);
    assert.equal((await admin.get(`/media/${first.id}-345.avif`)).status, 200);
    await site.sql`update games set published = true where game_id = ${id}`;

    assert.equal((await upload(await picture(700, 500))).status, 200);
    const second = await banner();
    assert.deepEqual(second.widths, [345, 690]);
    const stored = await readdir(path.join(site.dataDir, "buckets", "media"));
    // Scenes of games lie there as well.
    assert.equal(stored.filter((name) => name.startsWith(second.id)).length, 4, stored.join());
    assert.ok(!stored.some((name) => name.startsWith(first.id)), stored.join());
    assert.equal((await admin.post(`/admin/games/${id}/picture`, { intent: "remove" })).status, 200);
    assert.equal(await banner(), null);
    const left = await readdir(path.join(site.dataDir, "buckets", "media"));
    assert.ok(!left.some((name) => name.startsWith(second.id)), left.join());
  });

  test("a new game without a picture shows a sky at once, its scene within moments, and nothing of it once it is gone", async () => {
    // Here games are due at once, as everywhere but in tests; those of the tests before would be drawn first.
    await site.sql`update games set scene_due_at = null`;
    await site.sql`alter table games alter scene_due_at set default now()`;
    const id = await create("Iron Tundra");
    await until("its page", 10_000, async () =>
      /data:image\/svg\+xml|\/media\/[0-9a-f]{32}-/.test((await visitor().get("/games/iron-tundra")).text),
    );
    // Asking for pages all the time would keep the processor from the drawing.
    const drawn = (not = "") =>
      until("a scene is drawn", 60_000, async () => {
        const [game] = await site.sql<
          { id: string | null }[]
        >`select scene ->> 'id' as id from games where game_id = ${id}`;
        return game?.id !== not && game?.id;
      });
    const shown = async () =>
      /\/media\/([0-9a-f]{32})-1380\.avif/.exec((await visitor().get("/games/iron-tundra")).text)?.[1] ?? "";
    const scene = await drawn();
    await until("the page shows it", 10_000, async () => (await shown()) === scene);
    // The home page of a site with as many games as here has cards of those that are played most.
    await site.sql`update games set published = false where game_id <> ${id}`;
    await until("the card of the home page shows it, too", 10_000, async () =>
      (await visitor().get("/")).text.includes(`/media/${scene}-345.webp`),
    );
    const file = await fetch(`${site.base}/media/${scene}-690.webp`);
    assert.equal(file.status, 200);
    assert.equal((await sharp(Buffer.from(await file.arrayBuffer())).metadata()).width, 690);
    const shared = await fetch(`${site.base}/og/en/games/iron-tundra.jpg`);
    assert.equal(shared.status, 200);

    const page = await admin.get(`/admin/games/${id}/picture`);
    assert.match(page.text, /Draw another/);
    assert.equal((await admin.post(`/admin/games/${id}/picture`, { intent: "another" })).status, 200);
    const other = await drawn(scene);
    await until("another one takes its place", 10_000, async () => (await shown()) === other);
    assert.equal((await fetch(`${site.base}/media/${scene}-690.webp`)).status, 404);

    await admin.post(`/admin/games/${id}/delete`, { confirm: "Iron Tundra" });
    await until("the files are gone", 10_000, async () =>
      (await readdir(path.join(site.dataDir, "buckets", "media"))).every((name) => !name.startsWith(other)),
    );
  });
});
