/** Pasting all addresses at once, through the front door: refusals first, then two hundred lines of every sort. */
import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { after, before, beforeEach, describe, test } from "node:test";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";
import { startMinecraftServer } from "#demo/protocols/minecraft-server.ts";
import { listenOverTcp } from "#demo/protocols/tcp-listener.ts";
import { isAllowedPort } from "#outside/game-address-rules.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { pause, until } from "../helpers/until.ts";
import { startMumble } from "../protocols/pretend-mumble.ts";

const PASTE = "/admin/gameservers/paste";

describe("pasted addresses", () => {
  let site: AccountSite;
  let admin: Browser;
  let adminId: string;
  const closing: (() => unknown)[] = [];

  const admins = async (name: string) => {
    const { at, user } = await site.signedInAdmin(`${name}@example.org`);
    return { at, id: user.id };
  };
  const zomboid = (name: string) => ({
    name,
    map: "Muldraugh",
    folder: "zomboid",
    game: "Project Zomboid",
    players: 4,
    maxPlayers: 16,
    version: "42.1",
    appId: 108_600 & 0xffff,
  });
  async function pretend(name: string, host = "127.0.0.1"): Promise<string> {
    const server = await startA2sServer({ host, info: () => zomboid(name) });
    closing.push(server.close);
    // A free port may be one that is never asked, such as a database's.
    return isAllowedPort(server.port, new Set()) ? `${host}:${server.port}` : pretend(name, host);
  }

  before(async () => {
    site = await startAccountSite({ PROBE_ALLOW_CIDRS: "127.0.0.0/8" });
    ({ at: admin, id: adminId } = await admins("ada"));
    await site.sql`insert into games (game_name, game_acronym, game_slug, tagline, description, join_link)
      values ('Project Zomboid', 'PZ', 'zomboid', '{"en":""}', '{"en":""}', 'steam://connect/{host}:{port}')`;
  });
  beforeEach(async () => {
    await site.sql`delete from rate_limits`;
    await site.sql`delete from address_batches`;
  });
  after(async () => {
    for (const close of closing) await close();
    await site.stop();
  });

  type Row = { id: string; state: string; text: string; name: string; game: string; ticked: boolean };
  /** The rows of a page, as they are sent. */
  const rowsIn = (text: string): Row[] =>
    [...text.matchAll(/<li [^>]*data-line="(\d+)" data-state="(\w+)".*?<\/li>/gs)].map(
      ([row, id = "", state = ""]) => ({
        id,
        state,
        text: row.replace(/<option.*?<\/option>/g, "").replace(/<[^>]+>/g, " "),
        name:
          /name="name\.\d+"[^>]*value="([^"]*)"/.exec(row)?.[1] ??
          /value="([^"]*)"[^>]*name="name\.\d+"/.exec(row)?.[1] ??
          "",
        game: /<option value="([^"]*)" selected/.exec(row)?.[1] ?? "",
        ticked: /<input(?=[^>]*name="tick")(?=[^>]*checked)/.test(row),
      }),
    );
  async function paste(text: string, at = admin): Promise<string> {
    const answer = await at.post(PASTE, { intent: "start", text });
    assert.equal(answer.status, 302, answer.text.slice(-2000));
    assert.match(answer.location ?? "", /^\/admin\/gameservers\/paste\?batch=\d+$/);
    return answer.location ?? "";
  }
  const read = async (batch: string, at = admin) => rowsIn((await at.get(batch)).text);
  const answered = (batch: string, at = admin) =>
    until("every line has its answer", async () => {
      const rows = await read(batch, at);
      if (rows.some(({ state }) => state === "waiting")) await pause(200);
      return rows.every(({ state }) => state !== "waiting") && rows;
    });
  /** What a browser sends of the rows: as they are, with changes by the line's number. */
  const formOf = (rows: Row[], more: Record<string, string> = {}) =>
    Object.fromEntries([
      ...rows.flatMap(({ id, name, game }) => [
        [`name.${id}`, name],
        [`game.${id}`, game],
      ]),
      ...Object.entries(more),
    ]);
  /** Posts with each tick as a field of its own. */
  async function add(
    batch: string,
    rows: Row[],
    more: Record<string, string> = {},
    ticks = rows.filter((row) => row.ticked),
  ) {
    const body = new URLSearchParams({ intent: "add", visibility: "public", ...formOf(rows, more) });
    for (const { id } of ticks) body.append("tick", id);
    return fetch(site.base + batch, {
      method: "POST",
      body,
      redirect: "manual",
      headers: {
        Cookie: [...admin.cookies].map((pair) => pair.join("=")).join("; "),
        "Sec-Fetch-Site": "same-origin",
        Origin: site.base,
      },
    });
  }
  const servers = async () => [
    ...(await site.sql<Record<string, unknown>[]>`select * from gameserver order by server_id`),
  ];
  /** As people read it: React marks where one text ends and the next begins. */
  const textOf = async (answer: Response) => (await answer.text()).replaceAll("<!-- -->", "");

  test("refused with the text kept: nothing in it, too many lines, too much of it, too often", async () => {
    for (const [text, expected] of [
      ["", "nothing to examine"],
      ["# only\n\n--- \n// comments", "nothing to examine"],
      [Array.from({ length: 201 }, (_, at) => `127.0.0.1:${4000 + at}`).join("\n"), "These are 201 lines"],
      [Array.from({ length: 10_000 }, (_, at) => `x${at}`).join("\n"), "These are 10,000 lines"],
      [
        Array.from({ length: 60 }, () => "127.0.0.1:4000 127.0.0.1:4001 127.0.0.1:4002 127.0.0.1:4003").join("\n"),
        "These are 240 lines",
      ],
    ] as const) {
      const answer = await admin.post(PASTE, { intent: "start", text });
      assert.equal(answer.status, 422, text.slice(0, 40));
      assert.match(answer.text, new RegExp(expected));
      assert.ok(answer.text.includes(text.split("\n")[0] ?? ""), "what was pasted is still there");
    }
    const huge = await admin.post(PASTE, { intent: "start", text: "127.0.0.1:4000\n".repeat(700_000) });
    assert.equal(huge.status, 413);
    const long = await admin.post(PASTE, { intent: "start", text: "x".repeat(70_000) });
    assert.equal(long.status, 422);
    assert.match(long.text, /too long for one list/);
    await site.sql`delete from rate_limits`;
    const statuses = [];
    for (let at = 0; at < 21; at += 1)
      statuses.push((await admin.post(PASTE, { intent: "start", text: "no address" })).status);
    assert.deepEqual(statuses, [...Array.from({ length: 20 }, () => 302), 429]);
    const other = await admins("bob");
    assert.equal((await other.at.post(PASTE, { intent: "start", text: "no address" })).status, 302);
  });

  test("closed addresses are never asked, by whatever form; what is written there is shown harmless", async () => {
    const listener = createSocket("udp4").bind(0, "127.0.0.1");
    await once(listener, "listening");
    closing.push(() => listener.close());
    let asked = 0;
    listener.on("message", () => asked++);
    const { port } = listener.address();
    const batch = await paste(
      [
        "10.1.2.3:27015",
        "192.168.0.10:27015",
        "[fd00::1]:27015",
        "169.254.169.254:8080",
        `[::ffff:127.0.0.1]:${port}`,
        `0x7f.1:${port}`,
        "127.0.0.1:5432",
        "127.0.0.1:22",
        "<script>alert(1)</script> 10.9.9.9:27015",
      ].join("\n"),
    );
    const rows = await answered(batch);
    assert.deepEqual(
      rows.map(({ state }) => state),
      rows.map(() => "closed"),
    );
    assert.match(rows[0]?.text ?? "", /10\.1\.2\.3 is a private address/);
    assert.match(rows[6]?.text ?? "", /Port 5432 is never asked/);
    const { text } = await admin.get(batch);
    assert.ok(!text.includes("<script>alert"));
    // Sent all the same, ticked by hand: none is added.
    const answer = await add(batch, rows, {}, rows);
    assert.match(await answer.text(), /may not be asked, so nothing could be watched there/);
    assert.deepEqual(await servers(), []);
    assert.equal(asked, 0);
  });

  test("whoever has let a closed address be asked meanwhile asks it again, alone or with the others, without a new list", async () => {
    const [host = "", port] = (await pretend("Rosewood")).split(":");
    for (const all of [false, true]) {
      const batch = await paste("10.1.2.3:27015");
      const [row] = await answered(batch);
      assert.equal(row?.state, "closed");
      const intent = all ? "again-silent" : `again:${row.id}`;
      assert.ok((await admin.get(batch)).text.includes(`value="${intent}"`), intent);
      // Stands for a start with another PROBE_ALLOW_CIDRS: what was closed is now an address that may be asked.
      await site.sql`update address_batch_lines set host = ${host}, port = ${Number(port)} where line_id = ${Number(row.id)}`;
      await admin.post(batch, { intent });
      assert.equal((await answered(batch))[0]?.state, "answers", intent);
    }
  });

  test("what answers is suggested with its name and game, and added in one act with what it needs", async () => {
    const [one, two] = [await pretend("Knox County"), await pretend("West Point")];
    const minecraft = await startMinecraftServer({
      info: () => ({ version: "1.20.1", protocol: 763, players: 2, maxPlayers: 20, description: "Blocks" }),
    });
    closing.push(minecraft.close);
    const batch = await paste(
      `connect ${one}; password tawny\n${two} - Our west\n127.0.0.1:${minecraft.port}\nhello there`,
    );
    const rows = await answered(batch);
    assert.deepEqual(
      rows.map(({ state, name, ticked }) => [state, name, ticked]),
      [
        ["answers", "Knox County", true],
        ["answers", "Our west", true],
        ["answers", "Blocks", true],
        ["unread", "", false],
      ],
    );
    assert.match(rows[0]?.text ?? "", /Project Zomboid · 4 of 16 players/);
    assert.match(rows[0]?.text ?? "", /Password found/);
    assert.ok(!(await admin.get(batch)).text.includes("tawny"), "the password is not shown");
    const page = await admin.get(batch);
    assert.match(page.text, /Add 3 public game servers/);
    const done = await textOf(await add(batch, rows));
    assert.match(done, /3 game servers were added\./);
    const made = await servers();
    assert.deepEqual(
      made.map(({ server_name, visibility, adapter, join_link }) => [server_name, visibility, adapter, join_link]),
      [
        ["Knox County", "public", "a2s", "steam://connect/{host}:{port}"],
        ["Our west", "public", "a2s", "steam://connect/{host}:{port}"],
        ["Blocks", "public", "minecraft", null],
      ],
    );
    const games = await site.sql`select game_name, catalogue_id from games order by game_id`;
    assert.deepEqual(games.at(-1), { game_name: "Minecraft", catalogue_id: "minecraft" });
    const audits =
      await site.sql`select subject_id from audit_events where what = 'gameserver-created' and actor_id = ${adminId}`;
    assert.equal(audits.length, 3);
    assert.ok(!JSON.stringify(await site.sql`select details from audit_events`).includes("tawny"));
    assert.match(done, /This list is finished|No address/);
    // Again: the same rows, and the same addresses in another list.
    assert.equal((await add(batch, rows)).status, 200);
    const again = await answered(await paste(`${one}\n${two}\n${two}`));
    assert.deepEqual(
      again.map(({ state, ticked }) => [state, ticked]),
      [
        ["on_site", false],
        ["on_site", false],
        ["same", false],
      ],
    );
    assert.equal((await servers()).length, 3);
  });

  test("a refused line keeps no other out and says why; a dead one is added as its game usually is", async () => {
    const alive = await pretend("Muldraugh");
    const batch = await paste(
      `${alive}\n127.0.0.1:45997 - Sleeper\n127.0.0.1:45996\n127.0.0.1:45985 - Valheim of ours`,
    );
    const rows = await answered(batch);
    assert.deepEqual(
      rows.map(({ state, ticked, game }) => [state, ticked, game]),
      [
        ["answers", true, rows[0]?.game],
        ["silent", false, ""],
        ["silent", false, ""],
        ["silent", false, "catalogue:valheim"],
      ],
    );
    assert.match(rows[1]?.text ?? "", /refuses port 45997, over UDP and over TCP/);
    const ids = rows.map(({ id }) => id);
    const answer = await add(
      batch,
      rows,
      {
        [`game.${ids[1]}`]: rows[0]?.game ?? "",
        [`game.${ids[2]}`]: rows[0]?.game ?? "",
        [`name.${ids[2]}`]: "",
        visibility: "members",
      },
      rows,
    );
    const text = await textOf(answer);
    assert.match(text, /3 game servers were added\. 1 not added/);
    assert.match(rowsIn(text)[2]?.text ?? "", /it needs a name/);
    const made = (await servers()).slice(-3);
    assert.deepEqual(
      made.map(({ server_name, adapter, game_port, query_port, visibility }) => [
        server_name,
        adapter,
        game_port,
        query_port,
        visibility,
      ]),
      [
        ["Muldraugh", "a2s", Number(alive.split(":")[1]), null, "members"],
        ["Sleeper", "a2s", 45997, null, "members"],
        ["Valheim of ours", "a2s", 45985, 45986, "members"],
      ],
    );
    // The line that was refused is mended, and only it is added.
    const left = await read(batch);
    await add(batch, left, { [`name.${ids[2]}`]: "Late" }, left.slice(2, 3));
    assert.equal((await servers()).at(-1)?.server_name, "Late");
    assert.match((await admin.get(batch)).text, /This list is finished/);
  });

  test("a line that nobody understands is asked again as a game that its row offers", async () => {
    const mumble = await startMumble("127.0.42.1", 64_745);
    closing.push(mumble.close);
    const batch = await paste("127.0.42.1:64745");
    const [line] = await answered(batch);
    assert.equal(line?.state, "silent");
    assert.match(line?.text ?? "", /Port 64745 doesn’t answer over UDP/);
    assert.match(line?.text ?? "", /Check as Mumble/);
    await admin.post(batch, { intent: `again:${line?.id}:no-such-game`, ...formOf(await read(batch)) });
    assert.equal((await answered(batch))[0]?.state, "silent");
    // A busy machine may hear the answer too late: it is asked again, as an admin does.
    const [named] = await until("it answers", async () => {
      await admin.post(batch, { intent: `again:${line?.id}:mumble`, ...formOf(await read(batch)) });
      const rows = await answered(batch);
      return rows[0]?.state === "answers" && rows;
    });
    assert.equal(named?.game, "catalogue:mumble");
  });

  test("what is typed into the rows survives a reload, another admin sees it, and lines can go or be asked again", async () => {
    const batch = await paste("127.0.0.1:45901\n127.0.0.1:45902\nhello");
    const rows = await answered(batch);
    const [first, second] = rows;
    const keep = { intent: "keep", ...formOf(rows, { [`name.${first?.id}`]: "Typed", tick: first?.id ?? "" }) };
    assert.equal((await admin.post(batch, keep)).status, 200);
    const bob = (await admins("bob2")).at;
    assert.deepEqual(
      (await read(batch, bob)).map(({ name, ticked }) => [name, ticked]),
      [
        ["Typed", true],
        ["", false],
        ["", false],
      ],
    );
    assert.ok(!(await bob.get(PASTE)).text.includes("lines left"), "another's list is not offered");
    assert.match((await admin.get(PASTE)).text, /3 lines left/);
    await bob.post(batch, { intent: `remove:${second?.id}`, ...formOf(await read(batch)) });
    await bob.post(batch, { intent: "remove-unread", ...formOf(await read(batch)) });
    assert.deepEqual(
      (await read(batch)).map(({ id }) => id),
      [first?.id],
    );
    const [host = "", port = ""] = (await pretend("Woken")).split(":");
    await site.sql`update address_batch_lines set host = ${host}, port = ${Number(port)} where line_id = ${Number(first?.id)}`;
    await admin.post(batch, { intent: `again:${first?.id}`, ...formOf(await read(batch)) });
    assert.deepEqual(
      (await answered(batch)).map(({ state, name }) => [state, name]),
      [["answers", "Typed"]],
    );
    await admin.post(batch, { intent: "more", text: "127.0.0.1:45903" });
    assert.equal((await answered(batch)).length, 2);
    assert.equal((await admin.post(batch, { intent: "throw" })).location, PASTE);
    assert.match((await bob.get(batch)).text, /This list is not there any more/);
    assert.equal((await bob.post(batch, { intent: "add" })).status, 410);
    assert.equal((await bob.get(`${PASTE}?batch=1%20or%201`)).status, 200);
  });

  test("two hundred lines of every sort: one answer each, the site in use meanwhile, two admins at once", async () => {
    await site.sql`delete from gameserver`;
    const here = await pretend("On the site", "127.0.3.1");
    const [host = "", port = ""] = here.split(":");
    await site.sql`insert into gameserver (game_id, server_name, host, game_port, adapter)
      select game_id, 'There already', ${host}, ${Number(port)}, 'a2s' from games limit 1`;
    const mute = createSocket("udp4").bind(0, "127.0.3.2");
    await once(mute, "listening");
    const door = await listenOverTcp({ host: "127.0.3.3" }, (visitor) => visitor.resume());
    closing.push(() => mute.close(), door.close);
    const each = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));
    const alive = await Promise.all(each(70, (at) => pretend(`Alive ${at}`, `127.0.1.${1 + (at % 20)}`)));
    const expected: Record<string, string[]> = {
      answers: alive,
      same: each(20, (at) => `connect ${alive[at]}`),
      closed: each(25, (at) => `10.0.${at}.1:27015 - private ${at}`),
      unread: each(25, (at) => `line without one, number ${at}`),
      on_site: [here],
      accepts: [`127.0.3.3:${door.port}`],
      silent: [
        `127.0.3.2:${mute.address().port}`,
        ...each(47, (at) => `127.0.2.${1 + (at % 12)}:${42_000 + at}`),
        ...each(10, (at) => `nothing-${at}.invalid:27015`),
      ],
    };
    const lines = Object.values(expected).flat();
    assert.equal(lines.length, 200);
    const other = await admins("bob3");
    const [mine, theirs] = await Promise.all([paste(lines.join("\n")), paste(lines.join("\n"), other.at)]);
    const both = await Promise.all([answered(mine), answered(theirs, other.at)]);
    assert.deepEqual(
      both.map(({ length }) => length),
      [200, 200],
    );
    for (const [batch, at] of [
      [mine, admin],
      [theirs, other.at],
    ] as const) {
      // A machine that stood still for seconds has heard an answer too late: those are asked once more.
      for (let round = 0; round < 20; round += 1) {
        const silent = (await read(batch, at)).filter(({ state }) => state === "silent");
        if (silent.length === expected.silent?.length) break;
        await at.post(batch, { intent: "again-silent" });
        await answered(batch, at);
      }
      const states = Object.groupBy(await read(batch, at), ({ state }) => state);
      const counts = Object.fromEntries(Object.entries(states).map(([state, rows]) => [state, rows?.length]));
      assert.deepEqual(
        counts,
        Object.fromEntries(Object.entries(expected).map(([state, rows]) => [state, rows.length])),
      );
    }
    const rows = await read(mine);
    const text = await textOf(await add(mine, rows));
    assert.match(text, /70 game servers were added\./);
    // The other list knows it at once, and adds none of them twice.
    const theirRows = await read(theirs, other.at);
    assert.equal(theirRows.filter(({ state }) => state === "on_site").length, 71);
    await add(theirs, theirRows, {}, theirRows);
    const made = await site.sql`select host, game_port from gameserver group by host, game_port having count(*) > 1`;
    assert.deepEqual([...made], []);
  });
});
