/**
 * P2: the home page rendered every time, from the request to its last byte, ÷ bare `renderToString` of the same tree.
 * P3: a member's dashboard, from the cookie (one statement) to its last byte, ÷ P2's page.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { pino } from "pino";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { type EntryContext, type ServerBuild, ServerRouter } from "react-router";
import { readConfig } from "#config";
import { connectDatabase } from "#db/client.ts";
import { seedDemoContent } from "#demo/demo-content.ts";
import { createUser } from "#domain/members/users.ts";
import { hashPassword } from "#domain/sign-in/passwords.ts";
import { createBrowser } from "#tests/helpers/browser.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { createMembers } from "#web/accounts/members.ts";
import type { AppParts } from "#web/context.ts";
import { startLiveHub } from "#web/live/hub.ts";
import { followDayCurves } from "#web/pages/day-curves.ts";
import { createPageRenderer, type RenderPage } from "#web/pages/page-renderer.ts";
import { readRouteMap } from "#web/pages/route-facts.ts";
import { startWeb } from "#web/server.ts";
import { readHandoff } from "../app/render-at-once.ts";
import { measurePairs, rowOfPairs } from "./instruments/pairs.ts";
import type { Row } from "./instruments/row.ts";

const A_ROUND = 150;
/** So that one page is made while another waits for the database. */
const AT_ONCE = 4;
const PASSWORD = "a lamp in the harbour";
const EMAIL = "member@example.org";
const SITE_URL = "http://localhost:3000";
const log = pino({ level: "silent" });

export async function measure(): Promise<Row[]> {
  const testDb = await createTestDatabase();
  await seedDemoContent(testDb.db);
  await testDb.sql`update gameserver set host = '192.0.2.1', visibility = 'public'`;
  const cookie = await signIn(testDb);
  const database = connectDatabase({ databaseUrl: testDb.url });
  const hub = await startLiveHub(database, { pollIntervalS: 30, demo: false, siteUrl: SITE_URL, log });
  const dayCurves = followDayCurves(database.db, log);
  const build = await loadBuild();
  const options: Parameters<typeof createPageRenderer>[1] = {
    site: { public: { read: () => hub.read("public") }, members: { read: () => hub.read("members") } },
    // These two pages ask for nothing else of them.
    parts: { db: database.db, dayCurves, siteUrl: SITE_URL, secret: "x".repeat(32), log } as AppParts,
    map: readRouteMap(build.routes),
    siteUrl: SITE_URL,
    headers: {},
    log,
    dev: false,
  };
  const { render } = createPageRenderer(build, options);
  const members = createMembers(database.db, { siteUrl: SITE_URL, secret: options.parts.secret, trustProxy: 0 });
  const home = () => renderWhole(render, "/");
  const dashboard = async () => {
    const member = await members.find(cookie);
    if (!member) throw new Error("nobody is signed in");
    return renderWhole(render, "/dashboard", { member, visit: { ip: "192.0.2.7", user_agent: "bench" } });
  };
  try {
    const length = await home();
    const tree = await captureTree(build, options);
    // Ours says its scripts later and without a mark on each link (decision 018): nothing that people see.
    const bareLength = Buffer.byteLength(tree().replaceAll(/<link rel="modulepreload"[^>]*>| nonce="bench"/g, ""));
    if (Math.abs(bareLength - length) / length > 0.02) {
      throw new Error(`the trees differ: ${length} and ${bareLength} bytes`);
    }
    const bare = async () => Buffer.byteLength(tree());
    for (const work of [home, bare, dashboard]) await perSecond(work);
    const p2 = await measurePairs(
      () => perSecond(home),
      () => perSecond(bare),
    );
    const p3 = await measurePairs(
      () => perSecond(dashboard),
      () => perSecond(home),
    );
    return [
      {
        claim: "P2",
        what: `home page rendered every time, ${length} bytes ÷ bare renderToString of the same tree`,
        ...rowOfPairs(p2, "pages/s"),
        floor: 0.42,
        goal: 0.6,
        better: "more",
      },
      {
        claim: "P3",
        what: `a member's dashboard, ${await dashboard()} bytes, session looked up ÷ P2's page`,
        ...rowOfPairs(p3, "pages/s"),
        floor: 0.85,
        goal: 1,
        better: "more",
      },
    ];
  } finally {
    dayCurves.stop();
    await hub.stop();
    await database.close();
    await testDb.drop();
  }
}

async function perSecond(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  let left = A_ROUND;
  const workInTurn = async () => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workInTurn));
  return (A_ROUND * 1000) / (performance.now() - began);
}

async function renderWhole(render: RenderPage, pathname: string, by?: Parameters<RenderPage>[1]): Promise<number> {
  const response = await render(new Request(SITE_URL + pathname), by);
  const body = await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${pathname} answered ${response.status}`);
  return body.byteLength;
}

async function loadBuild(): Promise<ServerBuild> {
  return import(pathToFileURL(path.join(import.meta.dirname, "..", "build", "server", "index.js")).href);
}

/** What the home page is rendered from, its loaders' data included, as a function that renders it barely. */
async function captureTree(build: ServerBuild, options: Parameters<typeof createPageRenderer>[1]) {
  let captured: EntryContext | undefined;
  const { module } = build.entry;
  const capture: typeof module.default = async (_request, _status, _headers, context) => {
    captured = await readHandoff(context);
    return new Response();
  };
  const { render } = createPageRenderer({ ...build, entry: { module: { ...module, default: capture } } }, options);
  await render(new Request(`${SITE_URL}/`));
  const context = captured;
  if (!context) throw new Error("nothing was rendered");
  return () => renderToString(createElement(ServerRouter, { context, url: `${SITE_URL}/`, nonce: "bench" }));
}

/** A session's cookie, by the site's own sign-in. */
async function signIn(testDb: Awaited<ReturnType<typeof createTestDatabase>>): Promise<string> {
  const passwordHash = await hashPassword(PASSWORD);
  await createUser(testDb.db, { email: EMAIL, passwordHash, locale: "en", emailVerified: true });
  const env = { PORT: "0", DATABASE_URL: testDb.url, AUTH_SECRET: "x".repeat(32), LOG_LEVEL: "silent" };
  const web = await startWeb(readConfig(env), { log });
  const browser = createBrowser(`http://127.0.0.1:${web.port}`);
  const answer = await browser.post("/login/", { intent: "login", email: EMAIL, password: PASSWORD });
  await web.stop();
  if (answer.status !== 302) throw new Error(`sign-in answered ${answer.status}`);
  return [...browser.cookies].map((pair) => pair.join("=")).join("; ");
}
