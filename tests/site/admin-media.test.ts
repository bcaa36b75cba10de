/** The page of the kept pictures: refusals first, then finding, sorting and leafing, removing, and a store that fails. */
import assert from "node:assert/strict";
import { mkdir, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { seedDemoContent } from "#demo/demo-content.ts";
import { BANNER, MEDIA_BUCKET, makePicture, newMediaId, storeFiles } from "#domain/media/files.ts";
import { type Role, updateRole } from "#domain/members/roles.ts";
import { createObjectStorage } from "#outside/object-storage.ts";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";

const PATH = "/admin/media";
const HOUR_S = 3600;
let site: AccountSite;
let admin: Browser;
let bucket: string;

before(async () => {
  site = await startAccountSite();
  await seedDemoContent(site.database.db);
  bucket = path.join(site.dataDir, "buckets", MEDIA_BUCKET);
  admin = await withRole("admin");
});
after(() => site.stop());

async function withRole(role: Role) {
  const email = `${role}@example.org`;
  const { id } = await site.member(email);
  await updateRole(site.database.db, id, role);
  const at = site.browser();
  assert.equal((await site.signIn(at, email)).status, 302);
  return at;
}

/** Stores a picture that was uploaded so many hours ago. */
async function keep(hours: number) {
  const made = await makePicture(
    () => sharp({ create: { width: 700, height: 500, channels: 3, background: "#c60" } }).png(),
    BANNER,
  );
  assert.ok(made && (await storeFiles(createObjectStorage(site), made.files, assert.fail)));
  for (const { key } of made.files) await age(key, hours);
  return made.picture;
}

async function age(key: string, hours: number) {
  const at = Date.now() / 1000 - hours * HOUR_S;
  await utimes(path.join(bucket, key), at, at);
}

const idsOn = (text: string) => [...text.matchAll(/<code title="([0-9a-f]{32})"/g)].map(([, id]) => id);
const shown = async (search: string, at = admin) => idsOn((await at.get(PATH + search)).text);
const filesOf = async (id: string) => (await readdir(bucket)).filter((name) => name.startsWith(id));

test("with nothing kept, the page says so, in both languages", async () => {
  assert.match((await admin.get(PATH)).text, /No picture has been uploaded yet/);
  assert.match((await admin.get(`/de${PATH}`)).text, /Es ist noch kein Bild hochgeladen/);
});

test("visitors and members see nothing; moderators look, and remove nothing", async () => {
  const { id } = await keep(2);
  const game = await keep(3);
  await site.sql`update games set banner = ${JSON.stringify(game)} where game_slug = 'minecraft'`;
  for (const [role, seen, sent] of [
    [null, 302, 302],
    ["user", 403, 403],
    ["moderator", 200, 403],
  ] as const) {
    const at = role ? await withRole(role) : site.browser();
    const page = await at.get(PATH);
    assert.equal(page.status, seen, String(role));
    assert.equal((await at.post(PATH, { media_id: id })).status, sent, String(role));
    if (seen !== 200) continue;
    assert.deepEqual(idsOn(page.text), [id, game.id]);
    assert.doesNotMatch(page.text, /name="media_id"|\/admin\/games\/\d+\/picture|>Remove</);
    assert.match(page.text, /<li>Minecraft<\/li>/);
    assert.equal((await at.get(`/media/${id}-345.webp`)).status, 200, "what nothing shows, to whoever looks after it");
  }
  assert.equal((await site.browser().get(`/media/${id}-345.webp`)).status, 404);
  assert.equal((await filesOf(id)).length, 4);
  assert.equal((await site.sql`select 1 from audit_events where what = 'media-removed'`).length, 0);
});

test("what is shown, what is fresh, and what is none stays", async () => {
  const game = (await site.sql`select banner ->> 'id' as id from games where game_slug = 'minecraft'`)[0]?.id;
  const fresh = await keep(0.5);
  const kept = await readdir(bucket);
  for (const [media_id, status, expected] of [
    [game, 409, /This picture stays: something shows it/],
    [fresh.id, 409, /uploaded within the hour/],
    [newMediaId(), 410, /already been removed/],
    ["", 410, /already been removed/],
    ["../../secrets", 410, /already been removed/],
  ] as const) {
    const answer = await admin.post(PATH, { media_id });
    assert.equal(answer.status, status, media_id);
    assert.match(answer.text, expected);
  }
  assert.deepEqual(await readdir(bucket), kept);
  const { text } = await admin.get(PATH);
  assert.match(text, /Uploaded within the hour/);
  assert.doesNotMatch(text, new RegExp(`value="${fresh.id}"|value="${game}"`));
  for (const key of await filesOf(fresh.id)) await rm(path.join(bucket, key));
});

test("pictures are found by game, place and id, narrowed to those that nothing shows, and sorted", async () => {
  const [unused] = await shown("?shown=nowhere");
  const game = (await site.sql`select banner ->> 'id' as id from games where game_slug = 'minecraft'`)[0]?.id;
  const logo = newMediaId();
  await writeFile(path.join(bucket, `${logo}-logo.webp`), Buffer.alloc(300_000));
  await age(`${logo}-logo.webp`, 4);
  await site.sql`insert into site_settings (setting_key, setting_value)
    values ('logo', ${JSON.stringify({ id: logo, width: 512, height: 128 })})`;
  // No name of ours: passed over.
  await writeFile(path.join(bucket, "readme.txt"), "not ours");
  for (const [search, ids] of [
    ["", [unused, game, logo]],
    ["?sort=changed_at", [logo, game, unused]],
    ["?sort=-size&page=7", [logo, unused, game]],
    ["?q=MINE", [game]],
    ["?q=logo", [logo]],
    [`?q=${String(unused).slice(4, 16)}`, [unused]],
    ["?q=%25", []],
    ["?shown=nowhere&q=minecraft", []],
    ["?shown=nowhere", [unused]],
    ["?shown=%27&sort=owner&page=-1", [unused, game, logo]],
  ] as const) {
    assert.deepEqual(await shown(search), ids, search);
  }
  const { text } = await admin.get(PATH);
  assert.match(text, new RegExp(`src="/media/${logo}-logo.webp" alt="Picture: Logo"`));
  assert.match(text, new RegExp(`src="/media/${game}-345.webp" alt="Picture: Minecraft"`));
  assert.match(text, /href="\/admin\/games\/\d+\/picture"[^>]*>Minecraft</);
  assert.match(text, /href="\/admin\/settings\/pictures#logo"[^>]*>Logo</);
  assert.match(text, />300 kB</);
  const german = await admin.get(`/de${PATH}?q=startseite`);
  assert.match(german.text, /Bilder – Verwaltung/);
  assert.deepEqual(idsOn(german.text), []);
});

test("one that nothing shows is removed with all its files, once, and the audit log tells of it", async () => {
  const [id = ""] = await shown("?shown=nowhere");
  assert.match((await admin.get(PATH)).text, new RegExp(`name="media_id" value="${id}"`));
  const answers = [await admin.post(PATH, { media_id: id }), await admin.post(PATH, { media_id: id })];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 410],
  );
  assert.match(answers[0]?.text ?? "", /The picture has been removed\./);
  assert.deepEqual(await filesOf(id), []);
  const events = await site.sql`select subject_id, actor_id, ip from audit_events where what = 'media-removed'`;
  assert.equal(events.length, 1);
  assert.ok(events[0]?.subject_id === id && events[0].actor_id && events[0].ip);
});

test("what cannot be told to the audit log is not done", async () => {
  const { id } = await keep(2);
  await site.sql`alter table audit_events add constraint untold check (what <> 'media-removed') not valid`;
  try {
    assert.equal((await admin.post(PATH, { media_id: id })).status, 500);
  } finally {
    await site.sql`alter table audit_events drop constraint untold`;
  }
  assert.equal((await filesOf(id)).length, 4);
  assert.equal((await admin.post(PATH, { media_id: id })).status, 200);
});

test("many pictures are leafed through by fifty", async () => {
  const ids = Array.from({ length: 118 }, (_, nth) => ({ id: newMediaId(), hours: 10 + nth }));
  await mkdir(bucket, { recursive: true });
  for (const { id, hours } of ids) {
    await writeFile(path.join(bucket, `${id}-345.webp`), "a picture");
    await age(`${id}-345.webp`, hours);
  }
  const pages = [await shown(""), await shown("?page=2"), await shown("?page=3"), await shown("?page=99")];
  assert.deepEqual(
    pages.map(({ length }) => length),
    [50, 50, 20, 20],
  );
  assert.equal(new Set(pages.slice(0, 3).flat()).size, 120);
});

test("while the store fails the page is there and says so, and nothing is removed", async () => {
  const [id = ""] = await shown("?shown=nowhere");
  await rename(bucket, `${bucket}-away`);
  await writeFile(bucket, "no folder");
  try {
    for (const [at, expected] of [
      [PATH, /The storage for pictures does not answer/],
      [`/de${PATH}`, /Der Speicher für Bilder antwortet nicht/],
    ] as const) {
      const page = await admin.get(at);
      assert.equal(page.status, 503);
      assert.match(page.text, expected);
      const answer = await admin.post(at, { media_id: id });
      assert.ok(answer.status === 503 && answer.headers.get("retry-after"));
      assert.match(answer.text, expected);
      assert.match(answer.text, /admin-menu/);
    }
  } finally {
    await rm(bucket);
    await rename(`${bucket}-away`, bucket);
  }
  assert.equal((await admin.post(PATH, { media_id: id })).status, 200);
});
