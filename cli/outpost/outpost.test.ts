/** An outpost against sites that lie, that are away, and that revoke it; and the command as an operator types it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, type TestContext, test } from "node:test";
import pino from "pino";
import { type Outside, query } from "#collector/ask.ts";
import { isSignedWork, NONCE_HEADER, SIGNATURE_HEADER, type WorkReplySent } from "#domain/outposts/wire.ts";
import { createGameAddressResolver } from "#outside/game-address.ts";
import { startDns } from "#tests/helpers/network/dns-server.ts";
import { pretendA2s } from "#tests/helpers/test-bed.ts";
import { until } from "#tests/helpers/until.ts";
import { runOutpost } from "./run-outpost.ts";

const TOKEN = `spo_${"t".repeat(43)}`;
const ROOT = path.join(import.meta.dirname, "../..");
const portOf = (server: { address(): unknown }) => (server.address() as { port: number }).port;

type Report = { results: { server_id: number; failure: string | null; age_ms: number }[]; list: string | null };

/** A site that hands out what a test wants, and keeps what it is told. */
async function startPretendSite(context: TestContext, targets: unknown[] = []) {
  const reports: Report[] = [];
  let nonce = "a-first-nonce-of-the-site";
  const site = {
    url: "",
    port: 0,
    server: null as Server | null,
    reports,
    targets,
    soon: [] as unknown[],
    nextMs: 200,
    /** In place of the usual answer. */
    answer: null as ((response: ServerResponse) => void) | null,
    results: () => reports.flatMap(({ results }) => results),
    async listen() {
      site.server = createServer(answer).listen(site.port, "127.0.0.1");
      await once(site.server, "listening");
      site.port = portOf(site.server);
      site.url = `http://127.0.0.1:${site.port}`;
    },
    async close() {
      site.server?.closeAllConnections();
      await new Promise((resolve) => site.server?.close(resolve));
    },
  };
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    if (site.answer) return site.answer(response);
    assert.equal(request.headers.authorization, `Bearer ${TOKEN}`);
    const signature = request.headers[SIGNATURE_HEADER.toLowerCase()];
    if (!isSignedWork(String(signature), TOKEN, nonce, body)) {
      return response.writeHead(409, { [NONCE_HEADER]: nonce }).end("{}");
    }
    reports.push(JSON.parse(body.toString()));
    nonce = `nonce-number-${reports.length}-of-it`;
    const reply = {
      nonce,
      list: JSON.stringify(site.targets).length.toString(),
      targets: site.targets,
      soon: site.soon,
      next_ms: site.nextMs,
    };
    response.end(JSON.stringify(reply satisfies Record<keyof WorkReplySent, unknown>));
  }
  await site.listen();
  context.after(() => site.close());
  return site;
}

let ids = 0;
const target = (more: object) => {
  ids += 1;
  return {
    server_id: ids,
    target_key: ids.toString(16).padStart(32, "0"),
    adapter: "a2s",
    host: "play.example.org",
    game_port: 2456,
    query_port: null,
    options: {},
    interval_ms: 1_000,
    ...more,
  };
};

const keptLog = () => {
  const lines: { msg: string; level: number }[] = [];
  return { lines, log: pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) }) };
};

describe("an outpost", () => {
  test("asks nothing that the rules refuse, whatever the site hands it", async (context) => {
    let reached = 0;
    // One port of its own on loopback, TCP and UDP, that must never hear anything.
    const trap = createTcpServer((socket) => {
      reached += 1;
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(trap, "listening");
    const udp = createSocket("udp4").on("message", () => {
      reached += 1;
    });
    udp.bind(portOf(trap), "127.0.0.1");
    await once(udp, "listening");
    context.after(() => {
      trap.close();
      udp.close();
    });
    const port = portOf(trap);
    // The trap works.
    connect(port, "127.0.0.1").on("error", () => {});
    await until("the trap", () => reached === 1);
    reached = 0;

    const dns = await startDns(context, {
      "A here.example.org": { data: ["127.0.0.1"] },
      "A cloud.example.org": { data: ["169.254.169.254"] },
      "A office.example.org": { data: ["10.0.0.1", "192.168.0.1"] },
      "AAAA six.example.org": { data: ["::1"] },
      "A six.example.org": "no_data",
      "A flips.example.org": { ttl: 0, data: ["1.2.3.4"] },
      "SRV _minecraft._tcp.srv.example.org": { data: [`0 0 ${port} here.example.org`] },
    });
    // Between two questions the name leads elsewhere: what was checked is what is asked.
    const flip = setInterval(() => {
      if (!dns.asked.includes("A flips.example.org")) return;
      const entry = dns.zone["A flips.example.org"];
      if (typeof entry === "object") entry.data = [entry.data[0] === "127.0.0.1" ? "1.2.3.4" : "127.0.0.1"];
    }, 50);
    context.after(() => clearInterval(flip));
    const hosts = [
      ...["127.0.0.1", "127.1", "2130706433", "0x7f.1", "localhost", "::1", "[::1]", "::ffff:127.0.0.1", "0.0.0.0"],
      ...[
        "169.254.169.254",
        "10.0.0.1",
        "192.168.0.1",
        "172.16.0.1",
        "100.64.0.1",
        "fd00::1",
        "fe80::1%lo",
        "64:ff9b::7f00:1",
      ],
      ...["here.example.org", "cloud.example.org", "office.example.org", "six.example.org", "flips.example.org"],
    ];
    const targets = [
      ...hosts.flatMap((host) =>
        ["a2s", "tcp", "minecraft"].map((adapter) => target({ host, adapter, game_port: port })),
      ),
      target({ host: "srv.example.org", adapter: "minecraft", game_port: null }),
      target({ host: "127.0.0.1", adapter: "gamedig", game_port: port, options: { gamedigType: "mumble" } }),
      ...[22, 80, 443, 5432, 6379, 11211, 27017].map((game_port) =>
        target({ host: "8.8.8.8", adapter: "tcp", game_port }),
      ),
      // What is no target at all is passed over.
      ...[{}, null, "x", target({ adapter: "shell" }), target({ game_port: 70_000 }), target({ host: "" })],
      target({ options: { expect: { prefixHex: "0".repeat(500) } } }),
    ];
    const site = await startPretendSite(context, targets);
    const told = new AbortController();
    const asked = new Set<string>();
    const outside: Outside = {
      // Its clock is a thousand times as fast, so that it asks for names again.
      resolver: createGameAddressResolver({
        allowCidrs: [],
        servers: [dns.server],
        now: () => performance.now() * 1000,
      }),
      query(adapter, question) {
        asked.add(question.address);
        // The one public address of this test is somebody's.
        const nothing = { ok: false, latencyMs: 1, failure: "no_reply" } as const;
        return question.address === "1.2.3.4" ? Promise.resolve(nothing) : query(adapter, question);
      },
    };
    const running = runOutpost({
      siteUrl: site.url,
      token: TOKEN,
      version: "1",
      outside,
      log: keptLog().log,
      signal: told.signal,
    });
    const many = hosts.length * 3 + 9;
    await until("all judged", () => new Set(site.results().map(({ server_id }) => server_id)).size >= many - 3);
    await until("and again", () => site.results().length >= many * 2);
    told.abort();
    assert.equal(await running, "stopped");
    assert.equal(reached, 0);
    assert.deepEqual([...asked], ["1.2.3.4"]);
    const failures = new Set(site.results().map(({ failure }) => failure));
    assert.deepEqual([...failures].sort(), ["blocked", "no_reply"]);
  });

  test("hands in what it saw, soon what the site does not reach, and goes on when the site was away", async (context) => {
    const game = await pretendA2s(7);
    context.after(() => game.close());
    const one = target({ host: "203.0.113.9", game_port: game.port, interval_ms: 20_000 });
    const site = await startPretendSite(context, [one]);
    const told = new AbortController();
    const { lines, log } = keptLog();
    const outside = {
      resolver: {
        resolve: async () => ({ ok: true as const, address: "127.0.0.1", port: game.port, family: 4 as const }),
      },
      query,
    };
    const running = runOutpost({
      siteUrl: site.url,
      token: TOKEN,
      version: "1",
      outside,
      log,
      signal: told.signal,
      pauses: { first: 200, longest: 500 },
    });
    site.soon = [{ server_id: one.server_id, every_ms: 1_000 }];
    const first = await until("a first result", () => site.results()[0]);
    assert.equal(first.failure, null);
    assert.ok(first.age_ms < 5_000);
    game.mute = true;
    await until("it is silent", () => site.results().some(({ failure }) => failure !== null));

    await site.close();
    const asked = await until("it says so", () => lines.some(({ msg }) => /cannot be reached/.test(msg)) && game.asked);
    assert.ok(asked > 0);
    const before = site.reports.length;
    game.mute = false;
    await site.listen();
    await until("the site hears again", () => site.reports.length > before + 2);
    assert.ok(lines.some(({ msg }) => msg === "the site answers again"));
    // Nothing that answers otherwise ends it.
    const odd: ((response: ServerResponse) => void)[] = [
      (response) => response.writeHead(302, { Location: "http://127.0.0.1:1/" }).end(),
      (response) => response.writeHead(401, { "WWW-Authenticate": "Basic" }).end("a proxy's"),
      (response) => response.end("<html>"),
      (response) => response.end("x".repeat(20_000_000)),
      (response) => response.destroy(),
      (response) => response.end(JSON.stringify({ nonce: "x", targets: "all" })),
    ];
    for (const answer of odd) {
      const heard = Promise.withResolvers<void>();
      site.answer = (response) => {
        answer(response);
        heard.resolve();
      };
      await heard.promise;
    }
    const then = site.reports.length;
    site.answer = null;
    await until("still there", () => site.reports.length > then);
    told.abort();
    assert.equal(await running, "stopped");
  });

  test("the command: settings first, no open port, ends at SIGTERM at once, and for good when it is revoked", async (context) => {
    const site = await startPretendSite(context);
    const file = path.join(tmpdir(), `outpost-token-${process.pid}`);
    writeFileSync(file, `${TOKEN}\n`, { mode: 0o600 });
    context.after(() => rmSync(file));
    const start = (args: string[], env: Record<string, string> = {}) => {
      const child = spawn(process.execPath, [path.join(ROOT, "cli/spawnpoint.ts"), "outpost", ...args], {
        env: { PATH: process.env.PATH, HOME: tmpdir(), ...env },
        stdio: ["ignore", "ignore", "pipe"],
        cwd: tmpdir(),
      });
      context.after(() => child.kill("SIGKILL"));
      let said = "";
      child.stderr.on("data", (chunk) => {
        said += chunk;
      });
      const ended = once(child, "close").then(([code]) => ({ code: code as number, said }));
      return { child, ended, said: () => said };
    };
    for (const [args, env, words] of [
      [[], {}, /Usage/],
      [["http://play.example.org"], { OUTPOST_TOKEN: TOKEN }, /in the clear: write https/],
      [["http://10.0.0.1"], { OUTPOST_TOKEN: TOKEN }, /in the clear/],
      [["https://play.example.org/site"], { OUTPOST_TOKEN: TOKEN }, /no address of a site/],
      [["ftp://play.example.org"], { OUTPOST_TOKEN: TOKEN }, /no address of a site/],
      [["https://play.example.org"], {}, /no token/],
      [["https://play.example.org"], { OUTPOST_TOKEN: "hello" }, /begins with spo_/],
      [["https://play.example.org"], { OUTPOST_TOKEN_FILE: "/nowhere" }, /cannot be read/],
    ] as const) {
      const { code, said } = await start([...args], env).ended;
      assert.equal(code, 78, said);
      assert.match(said, words);
      assert.ok(!said.includes("hello"));
    }
    const running = start([], { SITE_URL: site.url, OUTPOST_TOKEN_FILE: file });
    await until("it reports", () => site.reports.length > 1);
    assert.equal(listeningSockets(running.child.pid ?? 0), 0);
    running.child.kill("SIGTERM");
    const { code, said } = await running.ended;
    assert.equal(code, 0, said);
    assert.match(said, /looks at 0 game servers/);
    assert.ok(!said.includes(TOKEN));

    const revoked = start([site.url, "--token", TOKEN]);
    const reports = site.reports.length;
    await until("it reports", () => site.reports.length > reports);
    site.answer = (response) => response.writeHead(401, { "WWW-Authenticate": 'Bearer error="invalid_token"' }).end();
    const end = await revoked.ended;
    assert.equal(end.code, 78);
    assert.match(end.said, /revoked/);
  });
});

/** How many TCP sockets of a process listen, as the kernel of Linux tells it. */
function listeningSockets(pid: number): number {
  if (process.platform !== "linux") return 0;
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /socket:\[(\d+)\]/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  const rows = ["tcp", "tcp6"].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, "utf8").trim().split("\n").slice(1),
  );
  return rows.map((row) => row.trim().split(/\s+/)).filter((row) => row[3] === "0A" && own.has(row[9] ?? "")).length;
}
