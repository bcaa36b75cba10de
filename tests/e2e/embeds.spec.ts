/** A page of another site shows a game server: badge, widget and figures, and nothing else of ours lets itself be framed. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { type Site, startSite } from "./site.ts";

let site: Site;
let other: Server;
let id = 0;

test.beforeAll(async () => {
  site = await startSite();
  const [row] = await site.sql<{ server_id: number }[]>`
    update gameserver set visibility = 'public', host = 'play.example.org' where server_name = 'Valheim Vanilla' returning server_id`;
  id = row?.server_id ?? 0;
  const frame = (path: string) => `<iframe src="${site.url}${path}" width="320" height="170"></iframe>`;
  const badge = `<img src="${site.url}/servers/${id}/badge.svg">`;
  const body = frame(`/servers/${id}/widget`) + frame(`/servers/${id}`) + badge;
  other = createServer((_request, response) => response.setHeader("Content-Type", "text/html").end(body));
  await once(other.listen(0, "127.0.0.1"), "listening");
});

test.afterAll(async () => {
  other.close();
  await site.stop();
});

test("the widget renews itself in its frame, the badge is drawn, any site's script may read, and pages stay out of frames", async ({
  page,
}) => {
  await page.clock.install();
  await page.goto(`http://localhost:${(other.address() as AddressInfo).port}/`);
  const widget = page.frameLocator("iframe").first();
  await expect(widget.getByRole("heading")).toHaveText("Valheim Vanilla");
  await expect(widget.locator("main")).toHaveCSS("border-radius", "12px");
  await expect(page.frameLocator("iframe").nth(1).getByText("Valheim Vanilla")).toHaveCount(0);
  expect(await page.locator("img").evaluate((image) => (image as HTMLImageElement).naturalHeight)).toBe(28);

  await site.sql`update gameserver set server_name = ${"<b>New</b> name"} where server_id = ${id}`;
  await expect
    .poll(async () => {
      await page.clock.runFor(35_000);
      return widget.getByRole("heading").textContent();
    })
    .toBe("<b>New</b> name");

  const read = await page.evaluate(async (url) => {
    const names = async (path: string, init?: RequestInit) => {
      const { data } = await (await fetch(`${url}/api/v1${path}`, init)).json();
      return data.map((one: { server_name: string }) => one.server_name);
    };
    const credentials = await names("/servers", { credentials: "include" }).catch(() => "refused");
    return { plain: await names("/servers"), credentials };
  }, site.url);
  expect(read.plain).toContain("<b>New</b> name");
  expect(read.credentials).toBe("refused");
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual([]);
});
