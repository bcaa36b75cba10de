/** Proxies in front: nginx as it is installed, nginx and Caddy by our examples. The live stream must come through at once. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request as plain } from "node:http";
import { request as overTls } from "node:https";
import { type AddressInfo, connect } from "node:net";
import os from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { pino } from "pino";
import { readConfig } from "#config";
import { seedDemoContent } from "#demo/demo-content.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { findFreePort } from "#tests/helpers/network/free-port.ts";
import { startWeb, type Web } from "#web/server.ts";

const DEPLOY = path.join(import.meta.dirname, "../../deploy");
const NAME = "play.example.org";
/** Where Debian keeps it; a PATH without /usr/sbin is common. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };
const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`], { env }).status === 0;
const NO_NGINX = has("nginx") ? false : "nginx is not installed here (apt-get install nginx)";
const NO_CADDY = has("caddy") ? false : "Caddy is not installed here (apt-get install caddy)";

let database: TestDatabase;
let web: Web;
let folder: string;
const proxies: ChildProcess[] = [];

before(async () => {
  if (NO_NGINX && NO_CADDY) return;
  folder = await mkdtemp(path.join(os.tmpdir(), "spawnpoint-proxy-"));
  database = await createTestDatabase();
  await seedDemoContent(database.db);
  await database.sql`update gameserver set visibility = 'public', host = 'play.example.org' where server_name = 'Valheim Vanilla'`;
  const settings = { PORT: "0", DATABASE_URL: database.url, SITE_URL: `https://${NAME}`, TRUST_PROXY: "1" };
  web = await startWeb(readConfig({ ...settings, DATA_DIR: folder }), { log: pino({ level: "silent" }) });
});

after(async () => {
  for (const proxy of proxies) {
    const ended = proxy.exitCode === null && proxy.signalCode === null ? once(proxy, "exit") : null;
    proxy.kill("SIGTERM");
    const patience = setTimeout(() => proxy.kill("SIGKILL"), 5_000);
    await ended;
    clearTimeout(patience);
  }
  await web?.stop();
  await database?.drop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

/** Runs a proxy until the end of the file, once it takes connections. */
async function startProxy(port: number, program: string, args: string[], more: NodeJS.ProcessEnv = {}): Promise<void> {
  const proxy = spawn(program, args, { env: { ...env, ...more }, stdio: ["ignore", "ignore", "pipe"] });
  proxies.push(proxy);
  let said = "";
  proxy.stderr?.on("data", (part) => {
    said += part;
  });
  for (let tries = 0; tries < 200; tries += 1) {
    if (proxy.exitCode !== null) break;
    const answer = await ask({ port, tls: false, path: "/livez" }).catch(() => null);
    if (answer) return;
    await pause(50);
  }
  assert.fail(`${program} did not start: ${said}`);
}

/** nginx with nothing set but where it listens and what it may write to. */
async function startNginx(port: number, name: string, servers: string): Promise<void> {
  const place = path.join(folder, name);
  await mkdir(place);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${place}/${kind};`,
  );
  const root = process.getuid?.() === 0 ? "user root;" : "";
  const text = `${root} daemon off; pid ${place}/pid; error_log stderr error; worker_processes 1;
    events {} http { access_log off; ${temporary.join(" ")} ${servers} }`;
  await writeFile(path.join(place, "nginx.conf"), text);
  await startProxy(port, "nginx", ["-p", place, "-c", path.join(place, "nginx.conf")]);
}

/** Begins to send a form over TLS, and never ends. */
function stall(port: number, localAddress: string): TLSSocket {
  const plainSocket = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
  const socket = connectTls({ socket: plainSocket, servername: NAME, rejectUnauthorized: false });
  socket.on("error", () => {});
  socket.write(`POST /contact HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 1000\r\n\r\nx`);
  return socket;
}

type Question = {
  port: number;
  tls: boolean;
  path: string;
  headers?: Record<string, string>;
  localAddress?: string;
  method?: string;
};

function open({ port, tls, path, headers = {}, localAddress, method = "GET" }: Question): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const from = localAddress === undefined ? {} : { localAddress };
    const all = { Host: NAME, ...headers };
    const options = { host: "127.0.0.1", port, path, method, agent: false, headers: all, ...from };
    const asked = tls ? overTls({ ...options, rejectUnauthorized: false, servername: NAME }) : plain(options);
    asked.once("response", resolve).once("error", reject).end();
  });
}

async function ask(question: Question) {
  const answer = await open(question);
  let text = "";
  for await (const part of answer.setEncoding("utf8")) text += part;
  return { status: answer.statusCode ?? 0, headers: answer.headers, text };
}

/** What the site must be like through any proxy. */
async function lookThrough(at: { port: number; tls: boolean }, say: (line: string) => void): Promise<void> {
  const page = await ask({ ...at, path: "/" });
  assert.equal(page.status, 200);
  assert.ok(page.text.endsWith("</html>"));
  assert.match(String(page.headers["content-security-policy"]), /^default-src 'none'/);
  // The page may be made again just now.
  for (let tries = 0, { headers } = page; ; tries += 1) {
    const again = await ask({ ...at, path: "/", headers: { "If-None-Match": String(headers.etag) } });
    if (again.status === 304) break;
    assert.ok(tries < 5, "what a browser has already is sent again");
    headers = again.headers;
  }

  const stream = await open({ ...at, path: "/live" });
  assert.match(String(stream.headers["content-type"]), /^text\/event-stream/);
  let heard = "";
  stream.setEncoding("utf8").on("data", (part) => {
    heard += part;
  });
  const until = async (what: string) => {
    const began = performance.now();
    while (!heard.includes(what)) {
      assert.ok(performance.now() - began < 20_000, `the stream never said ${what}; it said ${heard}`);
      await pause(5);
    }
    return Math.round(performance.now() - began);
  };
  await until('"signed_in":false');
  const players = 100 + Math.floor(Math.random() * 800);
  await database.sql`update gameserver_live_metrics set status = 'online', status_since = now(), last_asked_at = now(),
    user_online = ${players} where server_id = (select server_id from gameserver where server_name = 'Valheim Vanilla')`;
  const ms = await until(`"user_online":${players}`);
  say(`a change was heard through it ${ms} ms after its commit`);
  stream.destroy();
}

/** What the shipped files keep from visitors. */
async function keepsToItself(at: { port: number; tls: boolean }): Promise<void> {
  assert.equal((await ask({ ...at, path: "/readyz" })).status, 404);
  assert.equal((await ask({ ...at, path: "/livez" })).status, 200);
  const claimed = await ask({ ...at, path: "/", headers: { "X-Forwarded-Host": "evil.example" } });
  assert.equal(claimed.status, 200);
  assert.doesNotMatch(claimed.text, /evil\.example/);
}

/** The limit of a page in the examples, and what these tests put in its place. */
const PAGE_LIMIT = { said: "timeout 30s", here: "timeout 3s" };

/** Both live streams say something every 30 seconds: what holds for a page must not end them. */
async function streamsOutlivePages(at: { port: number; tls: boolean }): Promise<void> {
  await Promise.all(
    ["/live", "/api/v1/live"].map(async (path) => {
      const stream = await open({ ...at, path });
      assert.equal(stream.statusCode, 200, path);
      let ended = false;
      stream.on("error", () => {});
      stream.resume().on("close", () => {
        ended = true;
      });
      await pause(4_000);
      assert.ok(!ended, `${path} was cut off as a slow page`);
      stream.destroy();
    }),
  );
}

/** A site whose web process dies of each first request: its connection is cut before there is an answer. */
async function startDyingSite(): Promise<{ port: number; asked: string[]; close(): void }> {
  const asked: string[] = [];
  const site = createServer((request, response) => {
    const what = `${request.method} ${request.url}`;
    const isFirst = !asked.includes(what) && request.url !== "/livez";
    asked.push(what);
    if (isFirst) request.socket.destroy();
    else request.resume().on("end", () => response.end("alive"));
  });
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  const close = () => {
    site.close();
    site.closeAllConnections();
  };
  return { port: (site.address() as AddressInfo).port, asked, close };
}

/** A GET is sent again when the process that had it dies, a form is not. */
async function sendsAgain(at: { port: number; tls: boolean }, { asked }: { asked: string[] }): Promise<void> {
  for (const path of ["/page", "/live", "/assets/x.js"]) {
    assert.deepEqual([path, (await ask({ ...at, path })).text], [path, "alive"]);
  }
  assert.equal((await ask({ ...at, path: "/form", method: "POST" })).status, 502);
  assert.equal(asked.filter((what) => what === "POST /form").length, 1);
}

describe("nginx as it is installed: HTTP/1.0, buffers on", { skip: NO_NGINX }, () => {
  test("pages and the live stream come through", async (t) => {
    const port = await findFreePort();
    await startNginx(
      port,
      "default",
      `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${web.port}; } }`,
    );
    await lookThrough({ port, tls: false }, (line) => t.diagnostic(line));
  });
});

describe("nginx by deploy/nginx.conf", { skip: NO_NGINX }, () => {
  let at: { port: number; tls: boolean };

  /** Starts it by the example; only where it listens, its certificate, and where the site is are others. */
  async function startExample(name: string, site: number): Promise<{ port: number; redirects: number }> {
    const [port, redirects] = await Promise.all([findFreePort(), findFreePort()]);
    const example = await readFile(path.join(DEPLOY, "nginx.conf"), "utf8");
    const here = example
      .replaceAll(/^ *listen \[::\].*$/gm, "")
      .replace("listen 80;", `listen 127.0.0.1:${redirects};`)
      .replace(/^ *listen 443 ssl/m, `listen 127.0.0.1:${port} ssl`)
      .replace(/\/etc\/\S+fullchain\.pem/, path.join(folder, "certificate.pem"))
      .replace(/\/etc\/\S+privkey\.pem/, path.join(folder, "key.pem"))
      .replaceAll("server 127.0.0.1:3000 ", `server 127.0.0.1:${site} `)
      .replace(PAGE_LIMIT.said, PAGE_LIMIT.here);
    assert.ok(here.includes(PAGE_LIMIT.here));
    await startNginx(redirects, name, here);
    return { port, redirects };
  }

  before(async () => {
    const made = spawnSync("openssl", [
      ..."req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -days 2".split(" "),
      ...["-subj", `/CN=${NAME}`],
      ...["-keyout", path.join(folder, "key.pem"), "-out", path.join(folder, "certificate.pem")],
    ]);
    assert.equal(made.status, 0, String(made.stderr));
    const { port, redirects } = await startExample("example", web.port);
    at = { port, tls: true };
    const moved = await ask({ port: redirects, tls: false, path: "/games/x?y=1" });
    assert.equal(moved.headers.location, `https://${NAME}/games/x?y=1`);
  });

  test("a GET whose web process dies is sent again, a form is not", async () => {
    const dying = await startDyingSite();
    const { port } = await startExample("dying", dying.port);
    await sendsAgain({ port, tls: true }, dying).finally(dying.close);
  });

  test("pages and the live stream come through", (t) => lookThrough(at, (line) => t.diagnostic(line)));

  test("both live streams last longer than a page may take", () => streamsOutlivePages(at));

  test("/readyz is not for visitors, and the host that a visitor writes beside their own does not count", () =>
    keepsToItself(at));

  test("a request has one name in nginx, here and in the browser, and no visitor chooses it", async () => {
    const { headers } = await ask({ ...at, path: "/", headers: { "X-Request-Id": "visitor-chose-this" } });
    assert.match(String(headers["x-request-id"]), /^[0-9a-f]{32}$/);
  });

  test("one address has so many requests under way and no more, another has its own, and streams count apart", async () => {
    const stalled = Array.from({ length: 140 }, () => stall(at.port, "127.0.0.2"));
    try {
      const statusFrom = async (localAddress: string, path = "/") => {
        const answer = await open({ ...at, path, localAddress });
        answer.destroy();
        return answer.statusCode;
      };
      const began = performance.now();
      while ((await statusFrom("127.0.0.2")) !== 429) {
        assert.ok(performance.now() - began < 8_000, "one address was never told that it has too much");
        await pause(100);
      }
      assert.equal(await statusFrom("127.0.0.3"), 200);
      assert.equal(await statusFrom("127.0.0.2", "/live"), 200);
    } finally {
      for (const socket of stalled) socket.destroy();
    }
  });

  test("nobody is taken for another by a header of their own", async () => {
    const block = (network: string) => database.sql`
      insert into ip_blocks (network, reason, blocked_until) values (${network}::cidr, 'test', now() + interval '1 hour')`;
    const status = async (claimed: string, wanted: number) => {
      const headers = { "X-Forwarded-For": claimed };
      for (let tries = 0; tries < 100; tries += 1) {
        if ((await ask({ ...at, path: "/", headers })).status === wanted) return wanted;
        await pause(50);
      }
      return (await ask({ ...at, path: "/", headers })).status;
    };
    await database.sql`notify ip_blocks`;
    await block("198.51.100.7");
    await database.sql`notify ip_blocks`;
    await pause(300);
    assert.equal(await status("198.51.100.7", 200), 200, "a visitor wrote the blocked address; theirs is another");
    await block("127.0.0.1");
    await database.sql`notify ip_blocks`;
    assert.equal(await status("198.51.100.99", 403), 403, "a blocked visitor wrote an address that is not blocked");
    await database.sql`delete from ip_blocks`;
    await database.sql`notify ip_blocks`;
    assert.equal(await status("198.51.100.99", 200), 200);
  });
});

describe("Caddy by deploy/Caddyfile", { skip: NO_CADDY }, () => {
  const home = () => ({ HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder });

  /** Starts it by the example; only where it listens, without a certificate, and where the site is are others. */
  async function startExample(name: string, site: number): Promise<number> {
    const port = await findFreePort();
    const example = await readFile(path.join(DEPLOY, "Caddyfile"), "utf8");
    const here = example
      .replace(/^\{$/m, "{\n\tadmin off")
      .replace(`${NAME} {`, `http://${NAME}:${port} {\n\tbind 127.0.0.1`)
      .replace(PAGE_LIMIT.said, PAGE_LIMIT.here)
      .replaceAll("127.0.0.1:3000", `127.0.0.1:${site}`);
    assert.ok(here.includes("admin off") && here.includes(PAGE_LIMIT.here));
    const file = path.join(folder, name);
    await writeFile(file, here);
    await startProxy(port, "caddy", ["run", "--adapter", "caddyfile", "--config", file], home());
    return port;
  }

  test("it takes the file; pages and the live stream come through, and both live streams last", async (t) => {
    const args = ["validate", "--adapter", "caddyfile", "--config", path.join(DEPLOY, "Caddyfile")];
    const checked = spawnSync("caddy", args, { env: { ...env, ...home() }, encoding: "utf8" });
    assert.equal(checked.status, 0, checked.stderr);
    const port = await startExample("Caddyfile", web.port);
    await lookThrough({ port, tls: false }, (line) => t.diagnostic(line));
    await keepsToItself({ port, tls: false });
    await streamsOutlivePages({ port, tls: false });
  });

  test("a GET whose web process dies is sent again, a form is not", async () => {
    const dying = await startDyingSite();
    const port = await startExample("Caddyfile-dying", dying.port);
    await sendsAgain({ port, tls: false }, dying).finally(dying.close);
  });
});
