/** What the admin area says to an operator whose site is not set up to the end, and what it no longer says once it is. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { seedDemoContent } from "#demo/demo-content.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";

describe("hints for operators", () => {
  const sites: AccountSite[] = [];
  let backups: string;
  before(async () => {
    backups = await mkdtemp(path.join(tmpdir(), "backups-"));
  });
  after(async () => {
    for (const site of sites) await site.stop();
    await rm(backups, { recursive: true, force: true });
  });

  /** Starts a site and logs an admin in. `read` gets the text of a page. */
  async function start(settings: Record<string, string>) {
    const site = await startAccountSite(settings);
    sites.push(site);
    await seedDemoContent(site.database.db);
    const { at }: { at: Browser } = await site.signedInAdmin("boss@example.org");
    return async (address: string) => {
      const { status, text } = await at.get(address);
      assert.equal(status, 200, address);
      return text;
    };
  }
  const ADDRESSES = ["/admin/gameservers/1/heartbeat", "/admin/notifications/discord"];
  const ONLY_HERE = /leads to this machine alone/;

  test("without a public address: heartbeats and Discord can't reach it, and the first backup is missing", async () => {
    const read = await start({});
    for (const address of ADDRESSES) assert.match(await read(address), ONLY_HERE, address);
    assert.match(await read("/admin/dashboard"), /There is no backup/);
  });

  test("with a public address and a backup folder: none of it, and the first backup is on its way", async () => {
    const read = await start({ SITE_URL: "https://play.example.org", BACKUP_DIR: backups });
    for (const address of ADDRESSES) assert.doesNotMatch(await read(address), ONLY_HERE, address);
    const dashboard = await read("/admin/dashboard");
    assert.match(dashboard, /The first backup is made within the hour/);
    assert.doesNotMatch(dashboard, /There is no backup/);
  });
});
