/** The ready heartbeat for game machines, against pretend games: it counts as each game allows, and sends numbers alone. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { type HttpAsked, listenOverHttp } from "#demo/protocols/http-server.ts";
import { startPalworldServer } from "#demo/protocols/palworld-server.ts";
import { heartbeatShape } from "#domain/game-servers/heartbeats.ts";

const PRESETS = path.join(import.meta.dirname, "../../public/heartbeat");
const SCRIPT = path.join(PRESETS, "spawnpoint-heartbeat.sh");
const TOKEN = "abcDEF-123_abcDEF-123_abcDEF-123_abcDEF-123";
const run = promisify(execFile);

/** What `ss` shows of a machine on which these listen, with connections from outside and from the machine itself. */
const SS = `#!/bin/sh
case "$*" in
  *-Hlun*":10578"*|*-Hlun*":7787"*) echo "UNCONN 0 0 0.0.0.0:7787 0.0.0.0:*" ;;
  *-Hltn*":7777"*|*-Hltn*":7801"*) echo "LISTEN 0 128 0.0.0.0:7777 0.0.0.0:*" ;;
  *established*":7777"*)
    echo "0 0 10.0.0.5:7777 203.0.113.7:51000"
    echo "0 0 10.0.0.5:7777 203.0.113.8:51001"
    echo "0 0 [2001:db8::5]:7777 [2001:db8::9]:51002"
    echo "0 0 127.0.0.1:7777 127.0.0.1:40000"
    echo "0 0 [::1]:7777 [::1]:40001" ;;
esac
`;
/** What runs there: the games, as Linux, Wine and Java show them. */
const PS = `#!/bin/sh
cat <<'LINES'
/usr/lib/systemd/systemd --system
/opt/valheim server/valheim_server.x86_64 -name Home -crossplay
/home/steam/valheim/valheim_server.x86_64 -name Home -crossplay
Z:\\home\\steam\\Program Files\\ArkAscendedServer.exe TheIsland_WP
/usr/bin/java -Xmx4G -jar /srv/game/server.jar nogui
LINES
`;
/** The same machine when the games are down: people look at what they have left. */
const PS_DOWN = `#!/bin/sh
cat <<'LINES'
/usr/lib/systemd/systemd --system
tail -f /srv/logs/valheim_server.x86_64
sudo PROCESS=valheim_server.x86_64 sh spawnpoint-heartbeat once
nano ArkAscendedServer.exe
[valheim_server.x86_64] <defunct>
LINES
`;
const SYSTEMCTL = `#!/bin/sh
[ "$*" = "is-active --quiet my-game" ]
`;
const NOTHING = "#!/bin/sh\n";
const FAILS = "#!/bin/sh\nexit 3\n";

const VALHEIM = `08/27/2025 01:22:39: New session server "Home" that has join code , now 0 player(s)
08/27/2025 01:23:09: Session "Home, now 99 player(s)" with join code 123456 and IP 203.0.113.5:2456 is active with 0 player(s)
08/27/2025 01:30:00: Player joined server "Home" that has join code 123456, now 1 player(s)
08/27/2025 01:31:00: Player joined server "Home" that has join code 123456, now 2 player(s)
08/27/2025 01:31:02: Got character ZDOID from Secret Name : 1:2
`;
/** It was stopped with two people on it, and is starting. */
const VALHEIM_RESTARTED = `${VALHEIM}Mono path[0] = '/opt/valheim/valheim_server_Data/Managed'
Initialize engine version: 2022.3.50f1 (c3db7f8bf9b1)
08/28/2025 01:22:36: Starting to load scene:start
`;
const SKYRIM = `[10:00:00.000] [info] [tid 1]  New player 'Of Yesterday' [1] connected with 5 mods
[10:00:00.100] [info] [tid 1]  Server abc started on port 10578
[10:01:00.000] [info] [tid 1]  Connection received 2a
[10:01:01.000] [info] [tid 1]  New player 'Secret Name' [2a] connected with 5 mods
[10:02:00.000] [info] [tid 1]  New player 'Another' [ff03] connected with 0 mods
[10:02:30.000] [info] [tid 1]  New player 'Third' [B] connected with 1 mods
[10:03:00.000] [info] [tid 1]  Connection ended b - 'Third' disconnected
[10:03:01.000] [info] [tid 1]  Connection ended 77 - 'NULL' disconnected
`;

describe("heartbeat presets", { skip: process.platform === "win32" }, () => {
  let folder = "";
  let site: { port: number; close(): Promise<void> };
  const heard: HttpAsked[] = [];
  let answers = 204;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "heartbeat-"));
    site = await listenOverHttp({}, (asked) => {
      heard.push(asked);
      return { status: asked.url.pathname === "/api/v1/heartbeat" ? answers : 200 };
    });
    for (const [machine, programs] of Object.entries({
      running: { ss: SS, ps: PS, systemctl: SYSTEMCTL },
      down: { ss: NOTHING, ps: PS_DOWN, systemctl: FAILS },
    })) {
      await mkdir(path.join(folder, machine));
      for (const [program, text] of Object.entries(programs)) {
        await writeFile(path.join(folder, machine, program), text);
        await chmod(path.join(folder, machine, program), 0o755);
      }
    }
    await writeFile(path.join(folder, "restarted.log"), VALHEIM_RESTARTED);
    await writeFile(path.join(folder, "my-game.log"), "12 of 40 online\nBob: I saw 7 of 9 online\n");
    await writeFile(path.join(folder, "valheim.log"), VALHEIM);
    await writeFile(path.join(folder, "skyrim.log"), SKYRIM);
    // A journal, by the name of the service.
    const journal = `#!/bin/sh\nfor last; do :; done\ncat "${folder}/$last.log"\n`;
    await writeFile(path.join(folder, "running", "journalctl"), journal);
    await chmod(path.join(folder, "running", "journalctl"), 0o755);
  });
  after(async () => {
    await site.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs it on a machine as it is described above; what it says goes along. */
  async function call(command: string[], env: Record<string, string>, machine = "running") {
    const result = await run("sh", [SCRIPT, ...command], {
      env: {
        PATH: `${path.join(folder, machine)}:${process.env.PATH}`,
        SITE_URL: `http://127.0.0.1:${site.port}/`,
        TOKEN,
        ...env,
      },
    }).catch((error: { stdout: string; stderr: string; code: number }) => error);
    return { out: result.stdout, told: result.stderr, failed: "code" in result ? result.code : 0 };
  }

  const GAMES: [string, Record<string, string>, { players: number | null; max_players: number | null }][] = [
    ["valheim", { LOG: "valheim.log", MAX: "10" }, { players: 2, max_players: 10 }],
    ["valheim", { UNIT: "valheim" }, { players: 2, max_players: null }],
    ["valheim", { LOG: "restarted.log" }, { players: null, max_players: null }],
    ["other", { PORT: "7787" }, { players: null, max_players: null }],
    ["other", { PORT: "7777", MAX: "70" }, { players: null, max_players: 70 }],
    ["other", { PROCESS: "ArkAscendedServer.exe" }, { players: null, max_players: null }],
    ["other", { PROCESS: "another server.jar" }, { players: null, max_players: null }],
    ["other", { UNIT: "my-game", PLAYERS: "^[0-9]+ of [0-9]+ online" }, { players: 12, max_players: null }],
    ["skyrim", { UNIT: "skyrim" }, { players: 2, max_players: null }],
    ["aion", {}, { players: 3, max_players: null }],
    ["tera", {}, { players: 0, max_players: null }],
  ];
  for (const [game, more, expected] of GAMES) {
    test(`${game} (${Object.keys(more).join(", ")}): counted, and numbers alone are sent`, async () => {
      const env = { ...more, GAME: game, ...(more.LOG && { LOG: path.join(folder, more.LOG) }) };
      heard.length = 0;
      const { told, failed } = await call(["once"], env);
      assert.equal(failed, 0, told);
      const [report, ...others] = heard;
      assert.equal(others.length, 0);
      assert.equal(report?.headers.authorization, `Bearer ${TOKEN}`);
      assert.deepEqual(report?.body, expected);
      assert.ok(heartbeatShape.safeParse(report?.body).success);
      const { out } = await call(["count"], env);
      assert.deepEqual(JSON.parse(out), expected);
      const down = await call(["once"], env, "down");
      assert.equal(down.failed, 1);
      assert.match(down.told, /does not run here/);
      assert.equal(heard.length, 1, "a game that does not run is not reported");
    });
  }

  test("other: everything that is set has to be up, and something has to be set", async () => {
    const GAME = "other";
    const machines: Record<string, string>[] = [
      { PORT: "7788" },
      { PROCESS: "valheim_server" },
      { UNIT: "another" },
      { PORT: "7787", PROCESS: "valheim_server.x86_64", UNIT: "another" },
      { PORT: "7788", UNIT: "my-game" },
    ];
    for (const env of machines) {
      assert.equal((await call(["count"], { GAME, ...env })).failed, 1, JSON.stringify(env));
    }
    const none = await call(["count"], { GAME });
    assert.equal(none.failed, 2);
    assert.match(none.told, /PORT, PROCESS or UNIT/);
  });

  test("palworld: its own interface is asked on the machine, and the password leaves it by no way", async (context) => {
    const password = String.raw`it's "quoted" \ and : ☃`;
    const game = await startPalworldServer({ password, info: () => ({ players: 6, maxPlayers: 32 }) });
    context.after(() => game.close());
    heard.length = 0;
    const env = { GAME: "palworld", PORT: String(game.port), PASSWORD: password };
    const { told, failed } = await call(["once"], env);
    assert.equal(failed, 0, told);
    assert.deepEqual(heard[0]?.body, { players: 6, max_players: 32 });
    assert.equal(JSON.stringify(heard).includes("quoted"), false);
    const wrong = await call(["once"], { ...env, PASSWORD: "another" });
    assert.equal(wrong.failed, 1);
    assert.equal(heard.length, 1);
  });

  test("where the log says nothing yet, it is up and nobody can tell how many are on", async () => {
    await writeFile(path.join(folder, "empty.log"), "Starting\n");
    for (const GAME of ["valheim", "skyrim"])
      for (const LOG of [path.join(folder, "empty.log"), path.join(folder, "missing.log")]) {
        const { out } = await call(["count"], { GAME, LOG });
        assert.deepEqual(JSON.parse(out), { players: null, max_players: null }, `${GAME} ${LOG}`);
      }
  });

  test("a site that refuses is said, a game that is none as well", async () => {
    answers = 401;
    const refused = await call(["once"], { GAME: "aion" });
    answers = 204;
    assert.equal(refused.failed, 1);
    assert.match(refused.told, /did not take the report/);
    assert.equal(refused.told.includes(TOKEN), false);
    assert.equal((await call(["count"], { GAME: "chess" })).failed, 2);
    assert.equal((await call([], {})).failed, 2);
  });

  test("settings are written as systemd and shells read them: nothing in a password ends its quotes or is run", async (context) => {
    const password = String.raw`a"b\c $HOME $(touch x) ` + "`id` 'q' #;";
    const game = await startPalworldServer({ password, info: () => ({ players: 6, maxPlayers: 32 }) });
    context.after(() => game.close());
    const root = path.join(folder, "quoted");
    const url = `http://127.0.0.1:${site.port}`;
    const given = ["palworld", url, TOKEN, "second", `PORT=${game.port}`, "EVERY=15"];
    const installed = await call(["install", ...given], { ROOT: root, PASSWORD: password });
    assert.equal(installed.failed, 0, installed.told);
    const settings = path.join(root, "etc/spawnpoint-heartbeat/second.env");
    const read = await run("sh", ["-c", 'set -a; . "$1"; exec sh "$2" count', "sh", settings, SCRIPT], {
      env: { PATH: process.env.PATH },
      cwd: folder,
    });
    assert.deepEqual(JSON.parse(read.stdout), { players: 6, max_players: 32 });
    for (const line of (await readFile(settings, "utf8")).trim().split("\n")) {
      assert.match(line, /^(#.*|[A-Z_]+="([^"\\$`]|\\["\\$`])*")$/);
    }
    const lines = await call(["install", ...given], { ROOT: root, PASSWORD: "two\nlines" });
    assert.equal(lines.failed, 2, "a line of its own would be another setting");
  });

  test("any game is set up by one line too, as often as there are games on the machine", async () => {
    const root = path.join(folder, "any");
    const url = `http://127.0.0.1:${site.port}`;
    const first = ["other", url, TOKEN, "server-1", "PORT=7787", "PLAYERS=now [0-9]+ player\\(s\\)"];
    assert.equal((await call(["install", ...first], { ROOT: root })).failed, 0);
    assert.equal((await call(["install", "other", url, TOKEN, "server-2", "UNIT=my-game"], { ROOT: root })).failed, 0);
    const settings = await readFile(path.join(root, "etc/spawnpoint-heartbeat/server-1.env"), "utf8");
    assert.match(settings, /GAME="other"\n/);
    assert.match(settings, /PLAYERS="now \[0-9\]\+ player\\\\\(s\\\\\)"\n/);
    await stat(path.join(root, "etc/spawnpoint-heartbeat/server-2.env"));
    for (const bad of [
      ["other", url, TOKEN],
      ["other", url, TOKEN, "PORT=…"],
      ["other", url, TOKEN, "x", "COLOUR=red"],
      ["other", url, TOKEN, "../x", "PORT=1"],
    ])
      assert.equal((await call(["install", ...bad], { ROOT: root })).failed, 2, bad.join(" "));
  });

  test("the line of the admin page sets it up: script, service and settings that root alone reads", async () => {
    const root = path.join(folder, "root");
    const url = `http://127.0.0.1:${site.port}`;
    const { failed, told } = await call(["install", "palworld", url, TOKEN], { ROOT: root });
    assert.equal(failed, 0, told);
    assert.equal(
      await readFile(path.join(root, "usr/local/bin/spawnpoint-heartbeat"), "utf8"),
      await readFile(SCRIPT, "utf8"),
    );
    assert.equal(heard.at(-1)?.url.pathname, "/heartbeat/spawnpoint-heartbeat@.service");
    await stat(path.join(PRESETS, "spawnpoint-heartbeat@.service"));
    const settings = path.join(root, "etc/spawnpoint-heartbeat/palworld.env");
    assert.equal((await stat(settings)).mode & 0o077, 0);
    assert.match(
      await readFile(settings, "utf8"),
      new RegExp(`GAME="palworld"\nSITE_URL="${url}"\nTOKEN="${TOKEN}"\n`),
    );
    for (const bad of [
      ["chess", url, TOKEN],
      ["aion", url, "a b;c"],
      ["aion", url, TOKEN, "../x"],
      ["aion", url],
    ])
      assert.equal((await call(["install", ...bad], { ROOT: root })).failed, 2, bad.join(" "));
  });
});
