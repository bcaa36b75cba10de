/** The client as a package: small, typed for strict programs, and its quick start runs. */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { seedDemoContent } from "#demo/demo-content.ts";
import { type AccountSite, startAccountSite } from "./helpers/account-site.ts";

const ROOT = path.join(import.meta.dirname, "..");

describe("the client as a package", () => {
  let site: AccountSite;
  let folder = "";
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), "client-package-"));
    site = await startAccountSite();
    await seedDemoContent(site.database.db);
    await site.sql`update gameserver set visibility = 'public'`;
  });
  after(async () => {
    await site?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test("weighs 16 KB at most, with its types and its README", () => {
    const packed = spawnSync("npm", ["pack", "--dry-run", "--json"], {
      cwd: path.join(ROOT, "client/package"),
      encoding: "utf8",
    });
    const [told] = JSON.parse(packed.stdout);
    const names = told.files.map(({ path: name }: { path: string }) => name).toSorted();
    assert.deepEqual(names, ["README.md", "dist/index.d.ts", "dist/index.js", "package.json"]);
    assert.ok(told.size <= 16 * 1024, `${told.size} bytes`);
  });

  test("has types for a strict program of nobody else's", async () => {
    const home = path.join(folder, "node_modules/spawnpoint-client");
    await mkdir(path.join(home, "dist"), { recursive: true });
    for (const name of ["package.json", "dist/index.d.ts", "dist/index.js"])
      await copyFile(path.join(ROOT, "client/package", name), path.join(home, name));
    await writeFile(
      path.join(folder, "program.mts"),
      `import { type AuthEvent, createClient, FunctionsHttpError } from "spawnpoint-client";
const site = createClient("https://play.example", { storage: new Map() as never });
const { data, error } = await site.servers.list({ game: "valheim" });
if (error) error.message satisfies string;
else data.data[0]?.live.user_online satisfies number | null | undefined;
site.auth.onAuthStateChange((event) => event satisfies AuthEvent);
const answer = await site.functions.invoke<{ ok: boolean }>("contact", { body: {} });
if (answer.error instanceof FunctionsHttpError) answer.error.context.status satisfies number;
// @ts-expect-error there is no such call
site.servers.nothing();
// @ts-expect-error a name is a text
await site.admin.games.create({ body: { game_name: 1, game_acronym: "A" } });
`,
    );
    const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
    const flags = [
      "--strict",
      "--noEmit",
      "--target",
      "es2022",
      "--module",
      "nodenext",
      "--lib",
      "es2022,dom,dom.iterable",
    ];
    const run = spawnSync(process.execPath, [tsc, ...flags, "program.mts"], { cwd: folder, encoding: "utf8" });
    assert.equal(run.status, 0, run.stdout);
  });

  test("is served by the site, and the quick start of its page runs", async () => {
    const script = await fetch(`${site.base}/client.js`);
    assert.equal(script.headers.get("content-type"), "text/javascript; charset=utf-8");
    assert.equal(script.headers.get("access-control-allow-origin"), "*");
    const etag = script.headers.get("etag") ?? "";
    const again = await fetch(`${site.base}/client.js`, { headers: { "If-None-Match": etag } });
    assert.equal(again.status, 304);
    const types = await fetch(new URL(script.headers.get("x-typescript-types") ?? "", script.url));
    assert.match(await types.text(), /export declare function createClient/);
    await writeFile(path.join(folder, "client.js"), await script.text());
    await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
    const page = await (await fetch(`${site.base}/developers`)).text();
    const code = /data-quick-start="node"[^>]*><code>(.*?)<\/code>/s.exec(page)?.[1] ?? "";
    const plain = code.replace(
      /&(quot|gt|lt|#x27|amp);/g,
      (_, name) => ({ quot: '"', gt: ">", lt: "<", "#x27": "'", amp: "&" })[name as string] ?? "",
    );
    await writeFile(path.join(folder, "quickstart.mjs"), plain);
    // The site answers from this very process.
    const run = promisify(execFile)(process.execPath, ["quickstart.mjs"], { cwd: folder, timeout: 60_000 });
    const { stdout } = await run;
    assert.match(stdout, /Valheim Vanilla \w+/);
    assert.match(stdout, /^\d+ game servers are followed\.$/m);
  });
});
