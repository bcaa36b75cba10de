/** The store of avatars gone, then back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startAccountSite } from "#tests/helpers/account-site.ts";
import { goodPictures } from "#tests/helpers/picture-files.ts";
import { startS3Store } from "../../heavy/s3-store.ts";
import { patience, tell } from "../figure.ts";
import { startWire } from "../wire.ts";

test("object storage down: the old avatar is kept, an upload is refused in words, all else goes on", async (t) => {
  const store = await startS3Store();
  const wire = await startWire({ port: Number(new URL(store.settings.endpoint).port) });
  const site = await startAccountSite({
    S3_ENDPOINT: `http://127.0.0.1:${wire.port}`,
    S3_REGION: store.settings.region,
    S3_ACCESS_KEY_ID: store.settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: store.settings.secretAccessKey,
    S3_BUCKET_PREFIX: store.settings.bucketPrefix,
  });
  t.after(async () => {
    await site.stop();
    await wire.close();
    await store.stop();
  });
  const { at, user } = await site.signedIn("ada@example.org");
  const { jpeg } = await goodPictures();
  const { png } = await goodPictures(300, 300);
  async function upload(bytes: Buffer) {
    const form = new FormData();
    form.set("avatar", new File([Uint8Array.from(bytes)], "me.jpg"));
    const cookie = [...at.cookies].map((pair) => pair.join("=")).join("; ");
    const headers = {
      Cookie: cookie,
      Origin: site.base,
      "Sec-Fetch-Site": "same-origin",
      "X-Forwarded-For": "198.18.9.9",
    };
    const began = performance.now();
    const answer = await fetch(`${site.base}/user/settings/avatar`, {
      method: "POST",
      headers,
      body: form,
      redirect: "manual",
    });
    return { status: answer.status, text: await answer.text(), ms: performance.now() - began };
  }
  const urlOf = async () => {
    const [row] = await site.sql<
      { avatar_url: string | null }[]
    >`SELECT avatar_url FROM profiles WHERE user_id = ${user.id}`;
    return row?.avatar_url ?? "";
  };
  const picture = async () => {
    const answer = await fetch(site.base + (await urlOf()));
    return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const first = await upload(jpeg);
  assert.ok(first.status < 400, `${first.status} ${first.text}`);
  const [oldUrl, old] = [await urlOf(), await picture()];
  assert.equal(old.status, 200);

  wire.cut();
  const refused = await upload(png);
  assert.equal(refused.status, 503);
  assert.ok(refused.ms < patience(12_000), `refused after ${refused.ms} ms`);
  assert.match(refused.text, /storage|later|again/i);
  assert.equal((await picture()).status, 503);
  assert.equal(await urlOf(), oldUrl);
  for (const page of ["/", "/dashboard", "/user/settings/profile"]) {
    assert.equal((await at.get(page)).status, 200, page);
  }
  wire.mend();
  const again = await picture();
  assert.equal(again.status, 200);
  assert.deepEqual(again.bytes, old.bytes);
  assert.ok((await upload(png)).status < 400);
  assert.notDeepEqual((await picture()).bytes, old.bytes);
  tell(
    t,
    "object storage down",
    `refused after ${Math.round(refused.ms)} ms, then the old avatar byte for byte; an upload after it is taken`,
  );
});
