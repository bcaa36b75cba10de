/** Uploads that do not arrive: two of an account wait, over all web processes, others' are taken, and the end has a text. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import sharp from "sharp";
import { readConfig } from "#config";
import { seedDemoContent } from "#demo/demo-content.ts";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import type { Browser } from "#tests/helpers/browser.ts";
import { startWeb, type Web } from "../server.ts";

let site: AccountSite;
/** Another web process of the same site. */
let second: Web;

before(async () => {
  site = await startAccountSite();
  const env = { PORT: "0", DATABASE_URL: site.database.url, DATA_DIR: site.dataDir, TRUST_PROXY: "1" };
  second = await startWeb(readConfig(env), { log: pino({ level: "silent" }) });
});

after(async () => {
  await second?.stop();
  await site?.stop();
});

const cookieOf = (at: Browser) => [...at.cookies].map((pair) => pair.join("=")).join("; ");

/** Begins an upload and sends no more of it; settles with what was answered. */
function stall(at: Browser, path = "/user/settings/avatar", port = Number(new URL(site.base).port)) {
  const socket = connect(port, "127.0.0.1");
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookieOf(at)}\r\nSec-Fetch-Site: same-origin\r\n`;
  socket.write(
    `${head}Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n--b\r\nContent-Disposition: form-data; name="avatar"; filename="a.png"\r\n\r\n`,
  );
  return new Promise<{ status: number; text: string }>((resolve) => {
    let text = "";
    socket.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text }));
  });
}

async function upload(at: Browser): Promise<Response> {
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#357" } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.set("avatar", new File([new Uint8Array(picture)], "a.png", { type: "image/png" }));
  return fetch(`${site.base}/user/settings/avatar`, {
    method: "POST",
    body,
    headers: { Cookie: cookieOf(at), "Sec-Fetch-Site": "same-origin" },
  });
}

test("45 stalled uploads by one member: two wait, the others hear why, nobody else's is kept waiting; an admin's end too", async () => {
  const { at } = await site.signedIn("stalls@example.org");
  const other = await site.signedIn("other@example.org");
  const admin = await site.signedInAdmin("boss@example.org");
  await seedDemoContent(site.database.db);
  const [game] = await site.sql<{ game_id: number }[]>`select min(game_id) as game_id from games`;
  const pictures = [`/admin/games/${game?.game_id}/picture`, "/de/admin/settings/pictures"].map((path) =>
    stall(admin.at, path),
  );
  const stalled = [
    ...Array.from({ length: 30 }, () => stall(at)),
    ...Array.from({ length: 15 }, () => stall(at, "/de/user/settings/avatar", second.port)),
  ];
  await pause(500);
  const renamed = await at.post("/user/settings/profile/", { intent: "save", user_name: "Stays Calm" });
  assert.equal(renamed.status, 302, "a form without a file needs no place among the uploads");
  assert.equal((await upload(other.at)).status, 200);
  const ends = await Promise.all(stalled);
  const waited = ends.filter(({ status }) => status === 408);
  assert.equal(waited.length, 2, JSON.stringify(ends.map(({ status }) => status)));
  assert.ok(waited.every(({ text }) => /arrived too slowly|kam zu langsam an/.test(text)));
  const refused = ends.filter(({ status }) => status === 429);
  assert.equal(refused.length, 43);
  assert.ok(refused.every(({ text }) => /Two uploads of yours|Zwei deiner Bilder/.test(text)));
  for (const { status, text } of await Promise.all(pictures)) {
    assert.equal(status, 408);
    assert.match(text, /arrived too slowly|kam zu langsam an/);
  }
  assert.equal((await upload(at)).status, 200, "what ended holds nothing");
});
