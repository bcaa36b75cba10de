/** The brand's own pictures: refusals first, then a logo and a slide that every process shows at once, and the way back. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pino } from "pino";
import sharp from "sharp";
import { readConfig } from "#config";
import { type Role, updateRole } from "#domain/members/roles.ts";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";
import { startWeb, type Web } from "#web/server.ts";
import { until } from "../helpers/until.ts";

const PATH = "/admin/settings/pictures";
let site: AccountSite;
let second: Web;
let admin: Browser;

before(async () => {
  site = await startAccountSite();
  second = await startWeb(readConfig({ PORT: "0", DATABASE_URL: site.database.url, DATA_DIR: site.dataDir }), {
    log: pino({ level: "silent" }),
  });
  admin = await withRole("admin");
});

after(async () => {
  await second.stop();
  await site.stop();
});

async function withRole(role: Role) {
  const email = `${role}@example.org`;
  const { id } = await site.member(email);
  await updateRole(site.database.db, id, role);
  const at = site.browser();
  assert.equal((await site.signIn(at, email)).status, 302);
  return at;
}

async function send(at: Browser, fields: Record<string, string>, bytes?: Uint8Array) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  if (bytes) body.set("picture", new Blob([Uint8Array.from(bytes)], { type: "image/png" }), "x.png");
  const response = await fetch(site.base + PATH, {
    method: "POST",
    redirect: "manual",
    headers: {
      "Sec-Fetch-Site": "same-origin",
      Cookie: [...at.cookies].map((pair) => pair.join("=")).join("; "),
    },
    body,
  });
  return { status: response.status, text: await response.text(), wait: Number(response.headers.get("retry-after")) };
}

const picture = (width: number, height: number, background = "#c60") =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
const clear = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 255, g: 128, b: 0, alpha: 0 } } })
    .png()
    .toBuffer();
const stored = async (key: string) =>
  (await site.sql`select setting_value from site_settings where setting_key = ${key}`)[0]?.setting_value ?? null;
const homeOf = async (base: string) => (await fetch(base)).text();

/** Waits until both processes show it. */
async function shownBy(what: string, holds: (home: string) => boolean) {
  for (const base of [site.base, `http://127.0.0.1:${second.port}`]) {
    await until(`${what} on ${base}`, async () => holds(await homeOf(base)));
  }
}

test("what is no picture, too small, too heavy or for no place is refused in words, and nothing is kept", async () => {
  const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>");
  for (const [place, bytes, status, expected] of [
    ["logo", svg, 422, /no picture that we can use/],
    ["logo", Buffer.from("GIF89a/*<script>"), 422, /Nothing was saved\./],
    ["logo", Buffer.alloc(0), 422, /choose a file/],
    ["logo", await picture(31, 200), 422, /each side must be at least 32 px/],
    ["logo", await picture(4000, 100), 422, /each side must be at least 32 px/],
    ["slide-1", await picture(959, 900), 422, /at least 960 px wide/],
    ["slide-1", await picture(2560, 600), 422, /640 px high/],
    ["slide-1", await picture(6000, 5000), 422, /24 megapixels/],
    ["slide-2", Buffer.alloc(5.5 * 1024 * 1024, 1), 413, /larger than 5 MB/],
    ["slide-4", await picture(1000, 1000), 422, /Nothing was saved\./],
    ["site_name", await picture(1000, 1000), 422, /Nothing was saved\./],
  ] as const) {
    const answer = await send(admin, { place }, bytes);
    assert.equal(answer.status, status, `${place} ${expected}`);
    assert.match(answer.text, expected);
  }
  assert.equal((await admin.post(PATH, {})).status, 422);
  assert.equal((await site.sql`select 1 from site_settings where setting_key in ('logo', 'slides')`).length, 0);
  assert.equal((await site.sql`select 1 from audit_events where what = 'settings-changed'`).length, 0);
});

test("whoever sends too many is told how long to wait", async () => {
  assert.equal((await send(admin, { place: "logo" })).status, 422);
  await site.sql`update rate_limits set points = 60 where limit_key like 'site-picture:%'`;
  const { status, wait } = await send(admin, { place: "logo" });
  assert.equal(status, 429);
  assert.ok(wait > 3000 && wait <= 3600, `Retry-After ${wait}`);
  await site.sql`delete from rate_limits where limit_key like 'site-picture:%'`;
});

test("a logo: fitted into its box, clear where it was, shown by every process, and gone when it is taken away", async () => {
  const open = /name="revision" value="(\d+)"/.exec((await admin.get("/admin/settings")).text)?.[1];
  assert.equal((await send(admin, { place: "logo" }, await clear(1024, 200))).status, 200);
  const wide = await stored("logo");
  assert.deepEqual([wide.width, wide.height], [512, 100]);
  const again = /name="revision" value="(\d+)"/.exec((await admin.get("/admin/settings")).text)?.[1];
  assert.equal(again, open, "no conflict with the form of the settings");
  const address = `/media/${wide.id}-logo.webp`;
  await shownBy("the logo", (home) => home.split(`src="${address}"`).length === 3);
  assert.match(await homeOf(site.base), new RegExp(`<img[^>]*src="${address}"[^>]*alt="Spawnpoint"`));

  const file = await fetch(site.base + address);
  assert.equal(file.status, 200);
  assert.equal(file.headers.get("content-type"), "image/webp");
  assert.match(String(file.headers.get("cache-control")), /immutable/);
  const image = sharp(Buffer.from(await file.arrayBuffer()));
  const { format, width, height, hasAlpha } = await image.metadata();
  assert.deepEqual([format, width, height, hasAlpha], ["webp", 512, 100, true]);
  assert.equal((await image.stats()).channels[3]?.max, 0);
  for (const name of [`${wide.id}-512.webp`, `${wide.id}-logo.avif`, `${"0".repeat(32)}-logo.webp`])
    assert.equal((await fetch(`${site.base}/media/${name}`)).status, 404, name);

  assert.equal((await send(admin, { place: "logo" }, await picture(40, 40))).status, 200);
  const square = await stored("logo");
  assert.deepEqual([square.width, square.height], [40, 40], "never scaled up");
  await shownBy("the second logo", (home) => home.includes(`/media/${square.id}-logo.webp`) && !home.includes(wide.id));
  assert.equal((await fetch(site.base + address)).status, 404);

  assert.equal((await send(admin, { place: "logo", intent: "remove" })).status, 200);
  assert.equal((await send(admin, { place: "logo", intent: "remove" })).status, 200);
  assert.equal(await stored("logo"), null);
  await shownBy("the mark", (home) => !home.includes("-logo.webp"));
  const events = await site.sql`
    select actor_id, ip, details from audit_events where what = 'settings-changed' order by event_id`;
  assert.deepEqual(
    events.map(({ details }) => [details.before.logo, details.after.logo]),
    [
      [null, wide.id],
      [wide.id, square.id],
      [square.id, null],
    ],
  );
  assert.ok(events.every(({ actor_id, ip }) => actor_id && ip));
});

test("a slide: lying and upright, in every width, in place of the shipped one, two at once, and back", async () => {
  const slides = async () => await stored("slides");
  const [first, third] = await Promise.all([
    send(admin, { place: "slide-1" }, await picture(2600, 1300)),
    send(admin, { place: "slide-3" }, await picture(1000, 700, "#06c")),
  ]);
  assert.deepEqual([first.status, third.status], [200, 200]);
  const [one, two, three] = await slides();
  assert.equal(two, null);
  assert.deepEqual(one.landscape.widths, [960, 1440, 1920, 2560]);
  assert.equal(one.landscape.height, 1100);
  assert.deepEqual([one.portrait.widths, one.portrait.height], [[480, 900], 1200]);
  assert.deepEqual([three.landscape.widths, three.portrait.widths], [[960], [480]], "never scaled up");
  await shownBy(
    "the slides",
    (home) =>
      home.includes(`/media/${one.landscape.id}-2560.avif 2560w`) &&
      home.includes(`/media/${one.portrait.id}-480.avif`),
  );
  for (const [name, size] of [
    [`${one.landscape.id}-1440.avif`, [1440, 619]],
    [`${one.portrait.id}-900.webp`, [900, 1200]],
  ] as const) {
    const file = await fetch(`${site.base}/media/${name}`);
    assert.equal(file.status, 200, name);
    const { width, height } = await sharp(Buffer.from(await file.arrayBuffer())).metadata();
    assert.deepEqual([width, height], size);
  }
  for (const place of ["slide-1", "slide-3"])
    assert.equal((await send(admin, { place, intent: "remove" })).status, 200);
  assert.deepEqual(await slides(), [null, null, null]);
  await shownBy("the shipped slides", (home) => !home.includes("/media/"));
  assert.equal((await fetch(`${site.base}/media/${one.portrait.id}-480.avif`)).status, 404);
  const [last] = await site.sql`
    select details from audit_events where what = 'settings-changed' order by event_id desc limit 1`;
  assert.deepEqual(last?.details, { before: { slide_3: three.landscape.id }, after: { slide_3: null } });
});
