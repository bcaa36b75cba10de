/**
 * Who reads the password of a game server: every address that answers a visitor is searched for those that are not for
 * everybody, and members, programs and the audit log are asked for what they are told.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createApiKey } from "#domain/accounts/api-keys.ts";
import { createGameServer } from "#domain/game-servers/edits.ts";
import { newGameServerFields } from "#domain/game-servers/fields.ts";
import { createGame } from "#domain/games/edits.ts";
import type { PasswordAccess } from "#shared/password-access.ts";
import { OPERATIONS } from "#web/api/operations.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { dataOf, fillAddress, MAP } from "../helpers/route-map.ts";
import { until } from "../helpers/until.ts";

/** Of letters alone, so that no encoding hides one. */
const SECRETS = { public: "OpenSesameForAll", members: "MembersOnlyWord", ask: "AskUsForThisWord" } as const;

describe("passwords of game servers", () => {
  let site: AccountSite;
  let admin: Browser;
  const ids: Record<string, number> = {};
  let slug = "";

  before(async () => {
    site = await startAccountSite();
    const { at, user } = await site.signedInAdmin("admin@example.org");
    admin = at;
    const actor = { user_id: user.id, origin: { ip: "", user_agent: "" } };
    const game = await createGame(site.database.db, actor, { game_name: "Harbour Lights", game_acronym: "HL" });
    assert.ok(game.ok);
    slug = game.game_slug;
    for (const [name, more] of Object.entries({
      public: { password_access: "public", password: SECRETS.public },
      members: { password_access: "members", password: SECRETS.members },
      ask: { password_access: "ask", password: SECRETS.ask },
      resting: { password_access: "public", password: "WordOfARestingOne", lifecycle: "maintenance" },
    } satisfies Record<string, { password_access: PasswordAccess; password: string; lifecycle?: "maintenance" }>)) {
      const fields = newGameServerFields.parse({
        game_id: game.game_id,
        server_name: `Harbour ${name}`,
        visibility: "public",
        adapter: "tcp",
        host: "play.example.org",
        game_port: 27015,
        join_link: "steam://connect/{host}:{port}/{password}",
        access_note_en: `Whitelist of ${name}`,
        access_note_de: `Whitelist von ${name}`,
        ...more,
      });
      const made = await createGameServer(site.database.db, actor, fields);
      assert.ok(made.ok);
      ids[name] = made.server_id;
    }
    const visitor = site.browser();
    await until("the pages", async () => (await visitor.get(`/servers/${ids.resting}`)).status === 200);
  });
  after(() => site.stop());

  /** Every address that visitors may ask for, with each of the game servers, in both languages, as a page and as data. */
  function addressesForVisitors(): string[] {
    const values = (id: number | undefined) => ({ slug, serverId: String(id), page: "launcher", id: String(id) });
    const pages = MAP.flatMap(({ address }) =>
      Object.values(ids).map((id) => fillAddress(address, values(id))),
    ).flatMap((path) => [
      path,
      dataOf(path),
      `/de${path === "/" ? "" : path}`,
      dataOf(`/de${path === "/" ? "" : path}`),
    ]);
    const api = OPERATIONS.filter(({ method }) => method === "get").flatMap(({ path }) =>
      Object.values(ids).map((id) => `/api/v1${path.replace(/\{\w+\}/g, String(id))}`),
    );
    const beside = Object.values(ids).flatMap((id) =>
      ["", "/de"].flatMap((at) => [`${at}/servers/${id}/badge.svg`, `${at}/servers/${id}/widget`]),
    );
    const files = ["/sitemap.xml", "/robots.txt", "/manifest.webmanifest", "/servers/999999", "/nowhere"];
    const streams = new Set(["/live", "/api/v1/live"]);
    return [...new Set([...pages, ...api, ...beside, ...files])].filter((path) => !streams.has(path));
  }

  /** What a stream says first. */
  async function beginningOf(path: string, headers: Record<string, string> = {}): Promise<string> {
    const ending = new AbortController();
    const response = await fetch(site.base + path, { signal: ending.signal, headers });
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes('"snapshot"')) break;
    }
    ending.abort();
    return text;
  }

  test("a visitor finds no password that is for members, or to be asked for, at any address", async () => {
    const told = new RegExp(`${SECRETS.members}|${SECRETS.ask}|WordOfARestingOne`, "i");
    let found = 0;
    for (const path of addressesForVisitors()) {
      // An address of its own each time: limits are not what is tried here.
      const { text, headers, status } = await site.browser().get(path);
      assert.doesNotMatch(JSON.stringify([...headers]) + text, told, path);
      if (status === 200 && text.includes(SECRETS.public)) found += 1;
    }
    assert.ok(found >= 8, `a search that finds nothing anywhere proves nothing: ${found}`);
    for (const path of ["/live", "/api/v1/live"]) {
      const text = await beginningOf(path);
      assert.match(text, /snapshot/);
      assert.doesNotMatch(text, new RegExp(Object.values(SECRETS).join("|")), path);
    }
  });

  test("not even the name of the catalog tells a visitor that a word for members was changed", async () => {
    const catalog = async () => /"catalog":"([\w-]+)"/.exec(await beginningOf("/api/v1/live"))?.[1];
    const cookie = [...admin.cookies].map((pair) => pair.join("=")).join("; ");
    const membersCatalog = async () => /"catalog":"([\w-]+)"/.exec(await beginningOf("/live", { cookie }))?.[1];
    const [before, membersBefore] = [await catalog(), await membersCatalog()];
    assert.ok(before && membersBefore);
    await site.sql`update gameserver set password = 'AnotherForMembers' where server_id = ${ids.members ?? 0}`;
    await until("the members' catalog", async () => (await membersCatalog()) !== membersBefore);
    assert.equal(await catalog(), before);
    await site.sql`update gameserver set password = ${SECRETS.members} where server_id = ${ids.members ?? 0}`;
    await until("the word as it was", async () => (await membersCatalog()) === membersBefore);
  });

  test("badge, widget, pictures and structured data have none, not even one for everybody", async () => {
    for (const path of ["badge.svg", "widget"].map((end) => `/servers/${ids.public}/${end}`))
      assert.doesNotMatch((await site.browser().get(path)).text, new RegExp(SECRETS.public), path);
    const { text } = await site.browser().get(`/servers/${ids.public}`);
    const head = text.slice(0, text.indexOf("</head>"));
    assert.match(head, /og:description/);
    assert.match(head, /application\/ld\+json/);
    assert.doesNotMatch(head, new RegExp(SECRETS.public));
  });

  test("visitors and members are told apart, in the API too", async () => {
    type Told = { password: string | null; password_access: string; join_link: string };
    const visitor = async (id: number | undefined): Promise<Told> =>
      JSON.parse((await site.browser().get(`/api/v1/servers/${id}`)).text);
    const plain = "steam://connect/play.example.org:27015";
    const of = ({ password, password_access, join_link }: Told) => [password, password_access, join_link];
    assert.deepEqual(of(await visitor(ids.public)), [SECRETS.public, "public", `${plain}/${SECRETS.public}`]);
    assert.deepEqual(of(await visitor(ids.members)), [null, "members", plain]);
    assert.deepEqual(of(await visitor(ids.ask)), [null, "ask", plain]);
    assert.deepEqual(of(await visitor(ids.resting)), [null, "public", null], "nobody can join it");

    await site.member("ada@example.org");
    const session = await fetch(`${site.base}/api/v1/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: "ada@example.org", password: PASSWORD, program: "A test" }),
    });
    const { access_token } = (await session.json()) as { access_token: string };
    const member = async (id: number | undefined): Promise<Told> => {
      const answer = await fetch(`${site.base}/api/v1/servers/${id}`, {
        headers: { Authorization: `Bearer ${access_token}` },
      });
      assert.equal(answer.headers.get("cache-control"), "private, no-store");
      return answer.json() as Promise<Told>;
    };
    assert.deepEqual(of(await member(ids.members)), [SECRETS.members, "members", `${plain}/${SECRETS.members}`]);
    assert.deepEqual(of(await member(ids.ask)), [null, "ask", plain]);

    const { at } = await site.signedIn("bea@example.org");
    for (const path of [`/servers/${ids.members}`, `/games/${slug}`, `/servers/${ids.members}.data`]) {
      const page = await at.get(path);
      assert.match(page.text, new RegExp(SECRETS.members), path);
      assert.doesNotMatch(page.text, new RegExp(SECRETS.ask), path);
      assert.match(page.headers.get("cache-control") ?? "", /no-store/, path);
    }
    const mine = await admin.get(`/servers/${ids.ask}`);
    assert.doesNotMatch(mine.text, new RegExp(SECRETS.ask), "an admin reads it in its form alone");
    assert.match((await admin.get(`/admin/gameservers/${ids.ask}/edit`)).text, new RegExp(SECRETS.ask));
  });

  test("the audit log says what became of a password, and never the password", async () => {
    const revision = async () =>
      /name="revision" value="(\d+)"/.exec((await admin.get(`/admin/gameservers/${ids.ask}/edit`)).text)?.[1] ?? "";
    const save = async (more: Record<string, string>) => {
      const [row] = await site.sql<{ game_id: number }[]>`select game_id from games where game_slug = ${slug}`;
      return admin.post(`/admin/gameservers/${ids.ask}/edit`, {
        game_id: String(row?.game_id),
        server_name: "Harbour ask",
        visibility: "public",
        lifecycle: "active",
        adapter: "tcp",
        expect: "connect",
        host: "play.example.org",
        game_port: "27015",
        revision: await revision(),
        ...more,
      });
    };
    for (const [more, words] of [
      [{ password: "", password_access: "public" }, "This must be filled in."],
      [{ password: "word", password_access: "none" }, "say who may read it"],
      [{ password: "word", password_access: "friends" }, "Please choose one"],
      [{ password: "x".repeat(65), password_access: "ask" }, "This is too long."],
      [{ join_link: "steam://connect/{host}:{port}/{pasword}" }, "Only these are filled in"],
    ] as const) {
      const answer = await save({ password_access: "none", ...more });
      assert.equal(answer.status, 422, JSON.stringify(more));
      assert.ok(answer.text.includes(words), `${JSON.stringify(more)}: ${words}`);
    }
    assert.equal((await save({ password: "two  words", password_access: "members" })).status, 200);
    const [row] = await site.sql`select password, password_access from gameserver where server_id = ${ids.ask ?? 0}`;
    assert.deepEqual({ ...row }, { password: "two  words", password_access: "members" });
    assert.equal((await save({ password: "", password_access: "none" })).status, 200);
    const events = await site.sql<{ what: string; details: Record<string, Record<string, unknown>> }[]>`
      select what, details from audit_events where subject_type = 'gameserver' and subject_id = ${String(ids.ask)} order by event_id`;
    assert.deepEqual(
      events.map(({ what, details }) => [what, details.before?.password, details.after?.password]),
      [
        ["gameserver-created", undefined, "set"],
        ["gameserver-updated", undefined, "changed"],
        ["gameserver-updated", undefined, "removed"],
      ],
    );
    const whole = JSON.stringify(await site.sql`select * from audit_events`);
    assert.doesNotMatch(whole, new RegExp(`two  words|${Object.values(SECRETS).join("|")}`));
    await site.sql`update gameserver set password = ${SECRETS.ask}, password_access = 'ask' where server_id = ${ids.ask ?? 0}`;
  });

  test("a new game server by the API has the join link of its game where it says nothing of one", async () => {
    const [row] = await site.sql<{ game_id: number; user_id: string }[]>`
      select game_id, user_id from games, roles where game_slug = ${slug} and role = 'admin'`;
    await site.sql`update games set join_link = 'steam://connect/{host}:{port}' where game_slug = ${slug}`;
    const actor = { user_id: row?.user_id ?? "", origin: { ip: "", user_agent: "" } };
    const key = await createApiKey(site.database.db, actor, { note: "x", days: 1, scopes: ["gameservers:write"] });
    assert.ok(key.ok);
    const make = async (more: object) => {
      const answer = await fetch(`${site.base}/api/v1/admin/servers`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${key.key}` },
        body: JSON.stringify({ game_id: row?.game_id, server_name: "By a program", adapter: "tcp", ...more }),
      });
      const { record, errors } = (await answer.json()) as { record?: { join_link: string }; errors?: unknown };
      return [answer.status, record?.join_link ?? errors];
    };
    assert.deepEqual(await make({}), [201, "steam://connect/{host}:{port}"]);
    assert.deepEqual(await make({ join_link: "" }), [201, ""]);
    assert.deepEqual(await make({ join_link: "steam://connect/{adress}" }), [
      422,
      [
        {
          field: "join_link",
          code: "no_join_placeholder",
          detail: "Only {host}, {port}, {name} and {password} are filled in.",
        },
      ],
    ]);
  });

  test("what the game server itself says of a password and of bots is shown, once, and told where there is something to tell", async () => {
    const [game] = await site.sql<{ game_id: number; user_id: string }[]>`
      select game_id, user_id from games, roles where game_slug = ${slug} and role = 'admin'`;
    const fields = newGameServerFields.parse({
      game_id: game?.game_id,
      server_name: "Harbour open",
      visibility: "public",
      adapter: "tcp",
      host: "play.example.org",
      game_port: 27016,
    });
    const actor = { user_id: game?.user_id ?? "", origin: { ip: "", user_agent: "" } };
    const made = await createGameServer(site.database.db, actor, fields);
    assert.ok(made.ok);
    const open = made.server_id;
    type Told = { user_online: number | null; bots_online: number | null; password_protected: boolean | null };
    const measure = async ({ user_online, bots_online, password_protected }: Told) =>
      site.sql`update gameserver_live_metrics set status = 'online', last_asked_at = now(), status_since = now(),
        user_online = ${user_online}, bots_online = ${bots_online}, password_protected = ${password_protected}
        where server_id = any(${[open, ids.ask ?? 0]}::int[])`;
    const read = async (path: string) => (await site.browser().get(path)).text.replaceAll("<!-- -->", "");
    const live = async () => JSON.parse(await read(`/api/v1/servers/${open}`)).live;
    const own = "The game server asks for a password.";

    await measure({ user_online: 5, bots_online: 3, password_protected: true });
    await until("the bots", async () => (await live())?.bots_online === 3);
    assert.equal((await live()).password_protected, true);
    for (const path of [`/servers/${open}`, `/games/${slug}`, `/join/${open}`])
      assert.equal((await read(path)).split(own).length, 2, path);
    assert.match(await read(`/servers/${open}`), />and 3 bots</);
    const german = await read(`/de/servers/${open}`);
    assert.match(german, />und 3 Bots</);
    assert.match(german, /Der Gameserver verlangt ein Passwort\./);
    const recorded = await read(`/servers/${ids.ask}`);
    assert.equal(recorded.split(own).length, 1, "the record has said it");
    assert.match(recorded, /It needs a password\./);

    await measure({ user_online: 5, bots_online: 1, password_protected: false });
    let page = "";
    const told = (words: string) => async () => {
      page = await read(`/servers/${open}`);
      return page.includes(words);
    };
    await until("one bot", told(">and 1 bot<"));
    assert.ok(!page.includes(own));

    await measure({ user_online: 4, bots_online: 0, password_protected: null });
    await until("four", told("players now: 4"));
    assert.doesNotMatch(page, / bots?</);
    assert.doesNotMatch(await beginningOf("/live"), /bots_online|password_protected/);

    await measure({ user_online: 4, bots_online: 9, password_protected: true });
    await site.sql`update gameserver_live_metrics set status = 'offline' where server_id = ${open}`;
    await until("offline", async () => (await live()).status === "offline");
    const { bots_online, password_protected } = await live();
    assert.deepEqual([bots_online, password_protected], [undefined, undefined], "of one that is down nobody can tell");
    await site.sql`delete from gameserver where server_id = ${open}`;
  });

  test("the page of a link is there for whoever sees the game server, and for nobody else", async () => {
    const id = ids.public ?? 0;
    const page = (of = id, language = "") => site.browser().get(`${language}/join/${of}`);
    for (const nowhere of ["0", "999999", "1e1", "-1", "x", `${id}x`, "9999999999999"])
      assert.equal((await site.browser().get(`/join/${nowhere}`)).status, 404, nowhere);
    const seen = await page();
    assert.equal(seen.status, 200);
    assert.match(seen.text, /<meta name="robots" content="noindex"/);
    assert.match(seen.text, new RegExp(`href="steam://connect/play.example.org:27015/${SECRETS.public}"`));
    assert.match(seen.text, /<title>Join Harbour public – Harbour Lights – /);
    const head = seen.text.slice(0, seen.text.indexOf("</head>"));
    assert.match(
      head,
      /<meta property="og:description" content="Harbour Lights: [^"]*Address: play\.example\.org:27015"/,
    );
    assert.match(head, new RegExp(`<meta property="og:image" content="[^"]*/og/en/servers/${id}\\.jpg"`));
    assert.match((await page(id, "/de")).text, /Harbour public beitreten – Harbour Lights/);
    assert.doesNotMatch((await site.browser().get("/sitemap.xml")).text, /\/join\//);
    assert.doesNotMatch((await site.browser().get("/robots.txt")).text, /join/, "chats that obey it show a preview");

    const resting = await page(ids.resting);
    assert.match(resting.text, /In maintenance: its address is back/);
    assert.doesNotMatch(resting.text, /play\.example\.org|steam:|WordOfARestingOne/);

    const { at: member } = await site.signedIn("cleo@example.org");
    for (const [visibility, forVisitors, forMembers] of [
      ["members", 404, 200],
      ["hidden", 404, 404],
    ] as const) {
      await site.sql`update gameserver set visibility = ${visibility} where server_id = ${id}`;
      await until(visibility, async () => {
        const statuses = [(await page()).status, (await member.get(`/join/${id}`)).status];
        return statuses[0] === forVisitors && statuses[1] === forMembers;
      });
      assert.equal((await page(id, "/de")).status, forVisitors);
      assert.equal((await site.browser().get(`/join/${id}.data`)).text.includes("play.example.org"), false);
    }
    await site.sql`update gameserver set visibility = 'public' where server_id = ${id}`;
    await until("it is back", async () => (await page()).status === 200);
  });

  test("who may not read a password is told how to come to it", async () => {
    const of = async (id: number | undefined, at = site.browser()) => (await at.get(`/join/${id}`)).text;
    assert.match(
      await of(ids.members),
      new RegExp(`href="/login/\\?next=%2Fjoin%2F${ids.members}"[^>]*>Log in to see it`),
    );
    assert.match(await of(ids.ask), /<a [^>]*href="\/contact"[^>]*>Ask us for it</);
    await site.sql`insert into site_settings (setting_key, setting_value)
      values ('discord_url', '"https://discord.gg/harbour"')
      on conflict (setting_key) do update set setting_value = excluded.setting_value`;
    await until("the invite", async () =>
      /href="https:\/\/discord\.gg\/harbour"[^>]*>Ask us for it on Discord/.test(await of(ids.ask)),
    );
    assert.match(await of(ids.public), /Whitelist of public/);
    const visitor = site.browser();
    assert.equal((await visitor.get(`/login/?next=%2Fjoin%2F${ids.members}`)).status, 200);
    await site.member("dora@example.org");
    const landed = await site.signIn(visitor, "dora@example.org", PASSWORD, `?next=%2Fjoin%2F${ids.members}`);
    assert.match(landed.location ?? "", new RegExp(`^/join/${ids.members}`));
    assert.match(await of(ids.members, visitor), new RegExp(`Password, for members only:[\\s\\S]*${SECRETS.members}`));
  });
});
