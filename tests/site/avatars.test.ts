/** Avatars through the front door: refusals first, the same over a folder and over S3. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import * as pictures from "#tests/helpers/picture-files.ts";
import { startS3Store } from "../heavy/s3-store.ts";
import { sendAvatar } from "./send-avatar.ts";

for (const kind of ["folder", "S3"] as const) {
  describe(`avatars in ${kind}`, () => {
    let site: AccountSite;
    let s3: Awaited<ReturnType<typeof startS3Store>> | null = null;
    before(async () => {
      if (kind === "S3") s3 = await startS3Store();
      site = await startAccountSite(
        s3
          ? {
              S3_ENDPOINT: s3.settings.endpoint,
              S3_ACCESS_KEY_ID: s3.settings.accessKeyId,
              S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
            }
          : {},
      );
    });
    after(async () => {
      await site.stop();
      await s3?.stop();
    });

    test("hostile files are refused in words, and nothing is stored", async () => {
      const { at, user } = await site.signedIn("hostile@example.org");
      for (const [bytes, expected] of [
        [Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), /no picture that we can use/],
        [Buffer.from("<!doctype html><script>alert(1)</script>"), /no picture that we can use/],
        [pictures.gifAndScript(), /more than a picture/],
        [pictures.zeroPng(65_000, 65_000), /24 megapixels/],
        [(await pictures.goodPictures()).jpeg.subarray(0, 2_000), /damaged or incomplete/],
        [pictures.gif(10_000), /moves/],
        [Buffer.alloc(0), /No picture/],
      ] as const) {
        const answer = await sendAvatar(site, at, bytes);
        assert.equal(answer.status, 422, String(expected));
        assert.match((await answer.json()).error, expected);
      }
      assert.equal((await fetch(`${site.base}/avatars/${user.id}.webp`)).status, 404);
    });

    test("a good one is served as a picture and nothing else; another takes its place; a removed one is gone", async () => {
      const { at } = await site.signedIn("good@example.org");
      const { jpeg, png } = await pictures.goodPictures();
      const { avatar_url } = await (await sendAvatar(site, at, jpeg)).json();
      assert.match((await at.get("/")).text, new RegExp(`src="${avatar_url.replace("?", "\\?")}"`));
      const shown = await fetch(site.base + avatar_url);
      assert.equal(shown.status, 200);
      for (const [name, value] of [
        ["content-type", "image/webp"],
        ["cache-control", "public, max-age=3600"],
        ["x-content-type-options", "nosniff"],
        ["content-security-policy", "default-src 'none'; sandbox"],
        ["cross-origin-resource-policy", "same-origin"],
      ] as const) {
        assert.equal(shown.headers.get(name), value);
      }
      const etag = String(shown.headers.get("etag"));
      for (const known of [etag, `W/${etag}`, `"another", ${etag}`, "*"])
        assert.equal((await fetch(site.base + avatar_url, { headers: { "If-None-Match": known } })).status, 304, known);
      assert.notEqual((await (await sendAvatar(site, at, png)).json()).avatar_url, avatar_url);
      assert.equal((await at.post("/user/settings/profile/", { intent: "remove-avatar" })).status, 302);
      assert.equal((await fetch(site.base + avatar_url)).status, 404);
    });

    test("names that lead elsewhere lead nowhere", async () => {
      for (const name of [
        "..%2f..%2fsecrets%2fauth",
        "../secrets/auth",
        "x.webp",
        "%00.webp",
        "a/b.webp",
        ".incoming",
      ]) {
        assert.equal((await fetch(`${site.base}/avatars/${name}`)).status, 404, name);
      }
    });

    test("too many in an hour: 429, with the time to wait", async () => {
      const { at } = await site.signedIn("eager@example.org");
      const { png } = await pictures.goodPictures(20, 20);
      let last = await sendAvatar(site, at, png);
      for (let count = 0; count < 32 && last.status !== 429; count += 1) last = await sendAvatar(site, at, png);
      assert.equal(last.status, 429);
      assert.ok(Number(last.headers.get("retry-after")) > 0);
    });

    if (kind === "S3") {
      test("when the store is away the old avatar stays, and the person is told", async () => {
        const { at, user } = await site.signedIn("unlucky@example.org");
        const { jpeg, png } = await pictures.goodPictures();
        const { avatar_url } = await (await sendAvatar(site, at, jpeg)).json();
        await s3?.stop();
        const answer = await sendAvatar(site, at, png);
        assert.equal(answer.status, 503);
        assert.match((await answer.json()).error, /still the old one/);
        const removed = await at.post("/user/settings/profile/", { intent: "remove-avatar" });
        assert.equal(removed.status, 503);
        const [row] = await site.sql`select avatar_url from profiles where user_id = ${user.id}`;
        assert.equal(row?.avatar_url, avatar_url);
        s3 = null;
      });
    }
  });
}
