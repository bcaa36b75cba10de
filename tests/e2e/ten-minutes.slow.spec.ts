/**
 * A stranger's community on the air: an empty folder, a real start, the printed link, then by pages alone name, logo, four games
 * and five addresses. Visitors find exactly that. Once at a desk, once on a phone in German.
 */
import { type BrowserContextOptions, expect, type Locator, type Page, test } from "@playwright/test";
import sharp from "sharp";
import { CATALOGUE } from "#content/catalogue/catalogue.ts";
import { makePlace, type RealSite, startRealSite } from "../faults/real-site.ts";
import { findFaults, NARROW, WIDE } from "./access-looks.ts";
import { openAlive, untilAlive } from "./alive.ts";
import { lookOnPhones, PHONE } from "./phone-looks.ts";
import { type PretendCommunity, startPretendCommunity } from "./pretend-community.ts";
import { isItsTurn } from "./turn.ts";

const INVITE = "https://discord.gg/nordlicht";
const GAMES = ["Counter-Strike 2", "Rust", "Terraria", "Minecraft: Bedrock Edition"];
/** What is typed to find each of them. */
const SEARCHES = ["cs2", "rust", "terra", "mc bedrock"];
/** A first day is to take ten minutes: at some seven seconds for an act, with reading, so many. */
const MOST_ACTS = 35;

let community: PretendCommunity;

test.beforeAll(async () => {
  community = await startPretendCommunity();
});

test.afterAll(() => community?.close());

const DESK: BrowserContextOptions = { viewport: { width: WIDE, height: 900 }, reducedMotion: "reduce" };
const HAND: BrowserContextOptions = { ...PHONE, reducedMotion: "reduce" };

type Walk = { at: string; prefix: "" | "/de"; device: BrowserContextOptions; titles: Record<string, string> };

const WALKS: Walk[] = [
  {
    at: "at a desk, in English",
    prefix: "",
    device: { ...DESK, locale: "en-GB" },
    titles: {
      brand: "What is your community called?",
      games: "Which games do you run?",
      servers: "Where do your game servers run?",
      contact: "Where do people reach you?",
      legal: "Who runs the site?",
      mail: "Do emails arrive?",
      backup: "What if the disk fails?",
      done: "Your site is live.",
    },
  },
  {
    at: "on a phone, in German",
    prefix: "/de",
    device: { ...HAND, locale: "de-DE" },
    titles: {
      brand: "Wie heißt deine Community?",
      games: "Welche Spiele betreibst du?",
      servers: "Wo laufen deine Gameserver?",
      contact: "Wo erreicht man dich?",
      legal: "Wer betreibt die Seite?",
      mail: "Kommen E-Mails an?",
      backup: "Und wenn die Festplatte ausfällt?",
      done: "Deine Seite ist in Betrieb.",
    },
  },
];

for (const walk of WALKS.filter((_, index) => isItsTurn(index, WALKS.length))) {
  test(`from an empty folder to a site that is live, ${walk.at}`, async ({ browser }) => {
    const place = await makePlace();
    const site = startRealSite(place, {
      command: [process.execPath, "cli/spawnpoint.ts", "start"],
      env: { PROBE_ALLOW_CIDRS: "127.0.0.0/8" },
    });
    try {
      await site.untilReady(120_000);
      const context = await browser.newContext(walk.device);
      const faults = await setUp(await context.newPage(), site, walk);
      await context.close();
      for (const [device, prefix] of [
        [DESK, ""],
        [HAND, "/de"],
      ] as const) {
        // Whoever set the site up on a phone looks at it there; the desk has seen every page already.
        if (walk.prefix !== "" && prefix === "") continue;
        const visitor = await browser.newContext({ ...device, locale: prefix === "" ? "en-GB" : "de-DE" });
        faults.push(...(await visit(await visitor.newPage(), site.url, prefix)));
        await visitor.close();
      }
      expect(faults).toEqual([]);
    } finally {
      site.process.kill("SIGTERM");
      await site.ended;
      await place.remove();
    }
  });
}

/** What a person does, each thing counted once: a press, a tick, a choice, and one field that is typed into. */
function countActs() {
  let acts = 0;
  return {
    count: () => acts,
    async press(target: Locator) {
      acts += 1;
      await target.click();
    },
    async type(target: Locator, text: string) {
      acts += 1;
      await target.fill(text);
    },
    async tick(target: Locator) {
      acts += 1;
      await target.check();
    },
    async choose(target: Locator, value: string) {
      acts += 1;
      await target.selectOption(value);
    },
  };
}

/** What axe and the phone have against a page, as one line each. */
async function lookAt(page: Page, name: string): Promise<string[]> {
  await untilAlive(page);
  const before = page.viewportSize();
  const isPhone = before !== null && before.width < WIDE;
  const faults = await findFaults(page, isPhone ? [NARROW] : [WIDE, NARROW]);
  if (isPhone) faults.push(...(await lookOnPhones(page)));
  if (before) await page.setViewportSize(before);
  return faults.map((fault) => `${name}: ${fault}`);
}

/** The first day of the admin, by what the pages offer. Resolves to what is wrong with them. */
async function setUp(page: Page, site: RealSite, { at, prefix, titles }: Walk): Promise<string[]> {
  const faults: string[] = [];
  const acts = countActs();
  const began = performance.now();
  const main = page.getByRole("main");
  const isAt = async (step: string) => {
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(titles[step] ?? "");
    faults.push(...(await lookAt(page, `setup, ${step}`)));
  };
  const save = main.locator("button[name=intent][value=save]");
  const skip = main.locator("button[name=intent][value=skip]");

  // Printed once the site serves, in English, as all that a terminal is told; the address has a twin in German.
  const printed = () => /http\S+\/setup\/\S+/.exec(site.output())?.[0];
  await expect.poll(printed).toBeDefined();
  await openAlive(page, site.url + prefix + new URL(printed() ?? "", site.url).pathname);
  faults.push(...(await lookAt(page, "the first account")));
  await acts.type(page.locator("main input[name=email]"), "admin@example.org");
  await acts.type(page.locator("main input[name=password]"), "a lamp in the harbour");
  await acts.press(main.locator("form button[type=submit]"));

  await isAt("brand");
  await acts.type(main.locator("[name=site_name]"), "Nordlicht");
  const logo = sharp({ create: { width: 300, height: 90, channels: 4, background: "#fa0" } });
  await main
    .locator("input[type=file]")
    .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: await logo.png().toBuffer() });
  await acts.press(save);

  await isAt("games");
  for (const [place, search] of SEARCHES.entries()) {
    await acts.type(main.getByRole("searchbox"), search);
    await acts.tick(main.getByRole("checkbox", { name: GAMES[place] }).first());
  }
  faults.push(...(await lookAt(page, "setup, games ticked")));
  await acts.press(main.locator("form:has(input[name=catalogue_id]) button[type=submit]:visible").last());

  await isAt("servers");
  await acts.type(main.locator("textarea[name=text]"), community.note);
  await acts.press(main.locator("button[value=start]"));
  const rows = page.locator("[data-line]");
  await expect(rows).toHaveCount(5);
  await expect(page.locator('[data-state="waiting"]')).toHaveCount(0);
  for (const [place, { name, game }] of community.servers.entries()) {
    const row = rows.nth(place);
    await expect(row.locator("input[name^=name]"), name).toHaveValue(name);
    await expect(row.locator("select[name^=game] option:checked"), name).toHaveText(game);
  }
  faults.push(...(await lookAt(page, "setup, answers")));
  // What only accepts connections has told nobody that it is the game.
  await expect(rows.locator("input[name=tick]:checked")).toHaveCount(4);
  await acts.tick(rows.nth(3).locator("input[name=tick]"));
  await acts.press(main.locator("button[value=add]"));
  await expect(page.locator('[data-state="added"]')).toHaveCount(5);
  faults.push(...(await lookAt(page, "setup, added")));

  // The password that stood beside an address is for members until the admin says otherwise.
  await acts.press(rows.nth(1).getByRole("link"));
  await expect(main.locator("[name=server_name]")).toHaveValue("Nordlicht Training");
  await untilAlive(page);
  const fold = main.locator("details:not([open]):has([name=password_access]) > summary");
  if ((await fold.count()) > 0) await acts.press(fold);
  await expect(main.locator("input[name=password]")).toHaveValue(community.password);
  await acts.choose(main.locator("[name=password_access]"), "public");
  const saved = page.waitForResponse((response) => response.request().method() === "POST" && response.ok());
  await acts.press(main.locator("form:has([name=password_access]) button[type=submit]:visible").last());
  await saved;
  faults.push(...(await lookAt(page, "the game server")));
  await page.goto(`${site.url}${prefix}/admin/dashboard`);
  await untilAlive(page);
  await acts.press(main.locator('a[href*="/admin/setup?step=contact"]').first());

  await isAt("contact");
  await acts.type(main.locator("[name=discord_url]"), INVITE);
  await acts.press(save);
  for (const step of ["legal", "mail", "backup"]) {
    await isAt(step);
    await acts.press(skip);
  }
  await isAt("done");
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`A community of four games and five game servers is live ${at}: ${acts.count()} acts, ${seconds} s`);
  expect(acts.count()).toBeLessThan(MOST_ACTS);
  return faults;
}

type Listed = { data: { game_name: string; url: string; server_name?: string; address?: string | null }[] };

/** What a stranger finds: all of the community, and nothing else. Resolves to what is wrong with the pages. */
async function visit(page: Page, site: string, prefix: "" | "/de"): Promise<string[]> {
  const faults: string[] = [];
  const read = async (path: string): Promise<Listed["data"]> =>
    ((await (await page.request.get(site + path)).json()) as Listed).data;
  const games = await read("/api/v1/games");
  expect(games.map(({ game_name }) => game_name).toSorted()).toEqual(GAMES.toSorted());
  const servers = await read("/api/v1/servers");
  const told = servers.map(({ server_name, game_name, address }) => ({ name: server_name, game: game_name, address }));
  const byName = (one: { name?: string | undefined }, other: { name?: string | undefined }) =>
    (one.name ?? "").localeCompare(other.name ?? "");
  expect(told.toSorted(byName)).toEqual(
    community.servers.map(({ name, game, address }) => ({ name, game, address })).toSorted(byName),
  );

  const sitemap = await (await page.request.get(`${site}/sitemap.xml`)).text();
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => new URL(address).pathname);
  const own = (folder: string) => listed.filter((path) => path.startsWith(`/${folder}/`));
  const paths = (of: Listed["data"]) => of.map(({ url }) => new URL(url).pathname).toSorted();
  expect(own("games").toSorted()).toEqual(paths(games));
  expect(own("servers").toSorted()).toEqual(paths(servers));
  expect(othersIn(sitemap)).toEqual([]);

  const joins = own("servers").map((path) => path.replace("/servers/", "/join/"));
  for (const path of ["/", "/dashboard", "/contact", "/login", ...own("games"), ...own("servers"), ...joins]) {
    const address = prefix + path;
    await openAlive(page, site + address);
    faults.push(...(await lookAt(page, address)), ...(await picturesOf(page)).map((fault) => `${address}: ${fault}`));
    faults.push(...othersIn(await page.content()).map((game) => `${address} names ${game}`));
    await expect(page).toHaveTitle(/Nordlicht/);
  }
  faults.push(...(await meet(page, site, prefix)));
  return faults;
}

/** How the game servers stand on the pages that players use. */
async function meet(page: Page, site: string, prefix: string): Promise<string[]> {
  const faults: string[] = [];
  await openAlive(page, `${site}${prefix}/`);
  const main = page.getByRole("main");
  for (const game of GAMES) await expect(main.locator("#games h3", { hasText: game })).toHaveCount(1);
  await expect(page.locator("#games-menu a")).toHaveText(GAMES.toSorted());
  await expect(page.locator(`a[href="${INVITE}"]`).first()).toBeAttached();
  await expect(page.locator("header img").first()).toHaveAttribute("alt", "Nordlicht");

  const servers = ((await (await page.request.get(`${site}/api/v1/servers`)).json()) as Listed).data;
  for (const { server_name, url } of servers) {
    const { address = "", players, game } = community.servers.find(({ name }) => name === server_name) ?? {};
    for (const folder of ["servers", "join"]) {
      await openAlive(page, site + prefix + new URL(url).pathname.replace("/servers/", `/${folder}/`));
      await expect(page.getByRole("heading", { level: 1 })).toContainText(server_name ?? "");
      await expect(main.locator('[data-status="online"]').first(), `${server_name} is online`).toBeVisible();
      await expect(main).toContainText(address);
      if (players) await expect(main).toContainText(new RegExp(`${players[0]}\\s*(?:/|of|von)\\s*${players[1]}`));
      const template = CATALOGUE.find(({ name }) => name === game)?.joinLink;
      const href = template
        ?.replaceAll("{host}", address.split(":")[0] ?? "")
        .replaceAll("{port}", address.split(":")[1] ?? "");
      if (href) await expect(main.locator(`a[href="${href}"]:visible`).first(), server_name).toBeVisible();
      else await expect(main.locator('a[href^="steam:"]'), server_name).toHaveCount(0);
      await expect(main.getByText(community.password)).toHaveCount(server_name === "Nordlicht Training" ? 1 : 0);
    }
  }
  return faults;
}

/** What of the pictures is none: each is fetched as a browser would. */
async function picturesOf(page: Page): Promise<string[]> {
  const addresses = await page
    .locator("main img")
    .evaluateAll((images) => images.flatMap((image) => (image instanceof HTMLImageElement ? [image.src] : [])));
  const faults: string[] = [];
  for (const address of new Set(addresses.filter((one) => one.startsWith("http")))) {
    const answer = await page.request.get(address);
    if (answer.status() !== 200 || !answer.headers()["content-type"]?.startsWith("image/"))
      faults.push(`${address} answers ${answer.status()} ${answer.headers()["content-type"]}`);
  }
  return faults;
}

/** Games of the catalogue that are named without being here. Those whose name is a word of every day are not looked for. */
function othersIn(html: string): string[] {
  const text = html.replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
  const others = CATALOGUE.filter(
    ({ name, first }) => !GAMES.some((game) => game.includes(name)) && (first || name.length > 9 || /[ \d]/.test(name)),
  );
  return others.flatMap(({ name }) =>
    new RegExp(`(?<![\\p{L}\\d])${RegExp.escape(name)}(?![\\p{L}\\d])`, "u").test(text) ? [name] : [],
  );
}
