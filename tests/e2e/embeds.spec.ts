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

test("the snippet shows a long name, its address, Join and the way to the site whole at any width from 200", async ({
  page,
}) => {
  const row = {
    name: "The longship of the northern harbour, everybody is welcome",
    host: "valheim-one.long-name.example.org",
  };
  await site.sql`update gameserver set server_name = ${row.name}, host = ${row.host} where server_id = ${id}`;
  for (const language of ["", "/de"]) {
    for (const width of [200, 240, 280, 319, 320, 400]) {
      await page.setViewportSize({ width, height: 170 });
      await expect
        .poll(async () => {
          await page.goto(`${site.url}${language}/servers/${id}/widget`);
          return page.locator("code").textContent();
        })
        .toMatch(`${row.host}:`);
      const outside = await page.evaluate(() => {
        // The longest that is said of a status, and many players.
        document.querySelector(".sign")?.lastChild?.replaceWith("Wird geprüft");
        document.querySelector(".row > span:not(.sign)")?.firstChild?.replaceWith("128 / 200 ");
        const { scrollWidth, scrollHeight } = document.documentElement;
        const found =
          scrollWidth > innerWidth || scrollHeight > innerHeight ? [`${scrollWidth} × ${scrollHeight}`] : [];
        for (const one of document.querySelectorAll("h1, .sign, code, .join, .site")) {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
            found.push(one.className || one.tagName);
        }
        return found;
      });
      expect(outside, `${width} px ${language}`).toEqual([]);
      await expect(page.locator(".join")).toBeInViewport({ ratio: 1 });
    }
  }
});
