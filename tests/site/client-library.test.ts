/** The client library against the running site, beside the libraries of others that speak the same calls. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import sharp from "sharp";
import { seedDemoContent } from "#demo/demo-content.ts";
import { createApiKey } from "#domain/accounts/api-keys.ts";
import { BANNER, makePicture, storeFiles } from "#domain/media/files.ts";
import { createObjectStorage } from "#outside/object-storage.ts";
import { type AuthEvent, type Client, createClient } from "../../client/src/index.ts";
import { OPERATIONS_FILE, operationsNow } from "../../scripts/client-operations.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "../helpers/account-site.ts";

const require = createRequire(path.join(import.meta.dirname, "../heavy/package.json"));
type Invoked = { data: unknown; error: { name: string; message: string; context: unknown } | null };
type TheirFunctions = { setAuth(token: string): void; invoke(name: string, options?: object): Promise<Invoked> };
const { FunctionsClient } = require("@supabase/functions-js") as {
  FunctionsClient: new (url: string, options?: object) => TheirFunctions;
};
const { StorageClient } = require("@supabase/storage-js") as {
  StorageClient: new (
    url: string,
    headers: Record<string, string>,
  ) => {
    from(bucket: string): { list(prefix?: string, options?: object): Promise<{ data: unknown; error: unknown }> };
  };
};

const NO_CREDENTIALS = "You must provide either an email or phone number and a password";

test("the client's calls are those of the API", async () => {
  assert.equal(await readFile(OPERATIONS_FILE, "utf8"), operationsNow(), "run: npm run client:operations");
});

describe("the client library", () => {
  let site: AccountSite;
  let key = "";
  const made: Client[] = [];
  before(async () => {
    site = await startAccountSite();
    await seedDemoContent(site.database.db);
    await site.sql`update gameserver set visibility = 'public' where server_name like 'Minecraft%'`;
    const admin = await site.member("admin@example.org");
    await site.sql`update roles set role = 'admin' where user_id = ${admin.id}`;
    await site.sql`insert into site_settings (setting_key, setting_value) values ('contacts_per_hour', '50')`;
    const actor = { user_id: admin.id, origin: { ip: "", user_agent: "" } };
    const scopes = ["admin:read" as const, "games:write" as const];
    const granted = await createApiKey(site.database.db, actor, { note: "client", days: 1, scopes });
    assert.ok(granted.ok);
    key = granted.key;
  });
  after(async () => {
    for (const client of made) client.auth.stopAutoRefresh();
    await site?.stop();
  });

  function client(options: Parameters<typeof createClient>[1] = {}): Client {
    const one = createClient(site.base, options);
    made.push(one);
    return one;
  }
  async function signedIn(email: string): Promise<{ ours: Client; token: string; id: string }> {
    const user = await site.member(email);
    const ours = client();
    const { data, error } = await ours.auth.signInWithPassword({ email, password: PASSWORD });
    assert.equal(error, null);
    return { ours, token: data.session?.access_token ?? "", id: user.id };
  }
  const picture = () =>
    sharp({ create: { width: 900, height: 600, channels: 3, background: "#336699" } })
      .png()
      .toBuffer();

  test("calls as the functions library of others does, to the same answers and the same errors", async () => {
    const { token } = await signedIn("same@example.org");
    const png = await picture();
    const form = () => {
      const fields = new FormData();
      for (const [name, value] of [
        ["name", "Ada"],
        ["email", "ada@example.org"],
        ["message", "Is it up?"],
      ] as const)
        fields.set(name, value);
      return fields;
    };
    const blocked = "203.0.113.77";
    await site.sql`insert into ip_blocks (network, reason, blocked_until) values (${blocked}, 'test', now() + interval '1 hour')`;
    await pause(500);
    const gone = createClient("http://127.0.0.1:9").functions;
    const goneTheirs = new FunctionsClient("http://127.0.0.1:9/api/v1");
    const cases: [name: string, path: string, options: object, at?: "gone" | "locked" | "broken"][] = [
      ["JSON both ways", "session", { body: { email: "same@example.org", password: PASSWORD } }],
      ["a refusal in JSON", "session", { body: { email: "same@example.org", password: "wrong" } }],
      ["a text", "contact", { body: "hello" }],
      [
        "a given type wins",
        "contact",
        {
          body: JSON.stringify({ name: "A", email: "a@example.org", message: "B" }),
          headers: { "content-type": "application/json" },
        },
      ],
      ["bytes in a Blob", "avatar", { method: "PUT", body: new Blob([png], { type: "image/png" }) }],
      ["bytes in an ArrayBuffer", "avatar", { method: "PUT", body: Uint8Array.from(png).buffer }],
      ["a form", "contact", { body: form() }],
      ["bearer", "profile", { method: "GET" }],
      ["another method", "session/refresh", { method: "DELETE" }],
      ["an empty answer", "contact", { body: { name: "A", email: "a@example.org", message: "B" } }],
      ["a text as the answer", "../../livez", { method: "GET" }],
      ["a picture in SVG as the answer", "../../favicon.svg", { method: "GET" }],
      ["nothing there", "nothing/at/all", { method: "GET" }],
      ["a dead host", "site", { method: "GET" }, "gone"],
      ["the site does not let it through", "site", { method: "GET", headers: { "X-Forwarded-For": blocked } }],
      ["the site fails", "contact", { body: { name: "A", email: "a@example.org", message: "B" } }, "broken"],
      ["too slow", "contact", { body: { name: "A", email: "a@example.org", message: "B" }, timeout: 300 }, "locked"],
    ];
    for (const [name, path, options, at] of cases) {
      const ours = at === "gone" ? gone : client().functions;
      const theirs = at === "gone" ? goneTheirs : new FunctionsClient(`${site.base}/api/v1`);
      ours.setAuth(token);
      theirs.setAuth(token);
      const [mine, other] = await under(at, async () => [
        await ours.invoke(path, options),
        await theirs.invoke(path, options),
      ]);
      assert.deepEqual(await shape(mine as Invoked), await shape(other as Invoked), name);
    }
  });

  /** What may differ from one call to the next is left out. */
  async function shape({ data, error }: Invoked) {
    const text = (value: unknown) =>
      JSON.stringify(value, (name, inner) => (/token|expires|avatar_url|error_id/.test(name) ? typeof inner : inner)) ??
      null;
    const context = error?.context;
    const answer =
      context instanceof Response
        ? { status: context.status, body: text(await context.json().catch(() => null)) }
        : typeof context;
    return {
      data: data instanceof Blob ? `${data.type} ${data.size}` : text(data),
      error: error && { name: error.name, message: error.message, answer },
    };
  }
  async function under<T>(at: string | undefined, work: () => Promise<T>): Promise<T> {
    if (at === "broken") {
      await site.sql`alter table contacts rename to contacts_elsewhere`;
      return work().finally(() => site.sql`alter table contacts_elsewhere rename to contacts`);
    }
    if (at !== "locked") return work();
    return site.sql.begin(async (tx) => {
      await tx`lock table contacts in access exclusive mode`;
      return work();
    }) as Promise<T>;
  }

  test("lists files as the storage library of others does, and takes away only what nothing shows", async () => {
    const storage = createObjectStorage({ dataDir: site.dataDir });
    for (const _ of [1, 2, 3]) {
      const one = await makePicture(
        () => sharp({ create: { width: 800, height: 500, channels: 3, background: "#aa5500" } }).png(),
        BANNER,
      );
      assert.ok(one && (await storeFiles(storage, one.files, assert.fail)));
    }
    const theirs = new StorageClient(`${site.base}/api/v1/storage`, { Authorization: `Bearer ${key}` });
    const ours = client({ key });
    const { data: all } = await ours.storage.from("media").list();
    assert.equal(all?.length, 12);
    assert.deepEqual(
      all.map(({ name }) => name),
      all.map(({ name }) => name).toSorted(),
    );
    const begin = all[5]?.name.slice(0, 6) ?? "";
    for (const [prefix, options] of [
      [undefined, undefined],
      ["", { limit: 5 }],
      ["", { limit: 5, offset: 5 }],
      ["", { offset: 50 }],
      ["", { sortBy: { column: "name", order: "desc" } }],
      ["", { sortBy: { order: "desc" } }],
      ["", { sortBy: { column: "updated_at", order: "asc" } }],
      ["", { search: "345" }],
      [begin, {}],
    ] as const) {
      const [mine, other] = [
        await ours.storage.from("media").list(prefix, options),
        await theirs.from("media").list(prefix, options),
      ];
      assert.equal(mine.error, null);
      assert.deepEqual(mine.data, other.data, JSON.stringify([prefix, options]));
    }
    const name = all[0]?.name ?? "";
    const fresh = await ours.storage.from("media").remove([name]);
    assert.equal(fresh.error?.status, 409, "it may be about to be shown");
    assert.equal((await client().storage.from("media").list()).error?.status, 401);
    const { ours: member, id } = await signedIn("files@example.org");
    assert.equal((await member.storage.from("media").list()).error?.code, "permission");
    assert.deepEqual((await member.storage.from("avatars").list()).data, []);
    const put = await member.storage.from("avatars").upload(id, new Blob([await picture()]));
    assert.deepEqual(put.data, { path: `${id}.webp`, fullPath: `avatars/${id}.webp` });
    assert.equal(
      (await member.storage.from("avatars").upload("00000000-0000-4000-8000-000000000000", new Blob([await picture()])))
        .error?.status,
      403,
    );
    const addresses = [id, `${id}.webp`].map(
      (name) => member.storage.from("avatars").getPublicUrl(name).data.publicUrl,
    );
    for (const publicUrl of addresses) {
      const shown = await fetch(`${publicUrl}?t=${Date.now()}`);
      assert.deepEqual([shown.status, shown.headers.get("content-type")], [200, "image/webp"], publicUrl);
      assert.equal(shown.headers.get("cache-control"), "public, max-age=3600");
    }
    assert.equal((await member.storage.from("avatars").list()).data?.length, 1);
    assert.equal((await member.storage.from("avatars").remove([id])).data?.length, 1);
    for (const publicUrl of addresses) assert.equal((await fetch(publicUrl)).status, 404);
  });

  test("typed calls answer in the API's shapes, and refusals in its words", async () => {
    const ours = client({ key });
    const { data: servers } = await ours.servers.list({ per_page: 2 });
    assert.equal(servers?.data.length, 2);
    const game = await ours.admin.games.create({ body: { game_name: "Lantern Keepers", game_acronym: "LK" } });
    assert.ok(game.data);
    const { game_id, revision, record } = game.data;
    const changed = await ours.admin.games.update({ game_id, revision, body: { ...record, tagline_en: "Light." } });
    assert.equal(changed.data?.record.tagline_en, "Light.");
    const late = await ours.admin.games.update({ game_id, revision, body: record });
    assert.deepEqual([late.data, late.error?.status], [null, 412]);
    const wrong = await ours.games.read({ game_id: 999_999 });
    assert.equal(wrong.error?.message, "There is nothing at this address.");
    assert.equal((await createClient("http://127.0.0.1:9").site.read()).error?.status, 0);
  });

  test("one row is asked for: none and several are an error of their own", async () => {
    const ours = client({ key });
    const code = "PGRST116";
    for (const { data, error } of [
      await ours.games.read({ game_id: 999_999 }),
      await ours.servers.readMetrics({ server_id: 999_999 }),
      await ours.admin.games.read({ game_id: 999_999 }),
      await ours.servers.list({ game: "no-such-game" }).single(),
      await ours.servers.list({ per_page: 1 }).single(),
      await ours.admin.games.list().single(),
    ])
      assert.deepEqual([data, error?.code], [null, code]);
    const [server] = (await ours.servers.list()).data?.data ?? [];
    assert.ok(server);
    await site.sql`update games set published = game_id = ${server.game_id}`;
    await until(async () => (await ours.games.list()).data?.total === 1);
    assert.equal((await ours.games.list().single()).data?.game_slug, server.game_slug);
    await site.sql`update games set published = true`;
    const forbidden = await client().admin.games.list().single();
    assert.deepEqual([forbidden.error?.status, forbidden.error?.code], [401, null]);
  });

  test("an admin's session does what the site lets them do and nothing else", async () => {
    const { ours: member, id } = await signedIn("promoted@example.org");
    const body = { game_name: "By a session", game_acronym: "BAS" };
    const as = async (role: string) => {
      await site.sql`update roles set role = ${role} where user_id = ${id}`;
      await member.auth.signInWithPassword({ email: "promoted@example.org", password: PASSWORD });
      const { error } = await member.admin.games.create({ body });
      return [(await member.admin.games.list()).error?.code ?? "read", error?.code ?? "written"];
    };
    assert.deepEqual(await as("user"), ["permission", "permission"]);
    assert.deepEqual(await as("moderator"), ["read", "permission"]);
    const [server] = await site.sql<
      { server_id: number; game_id: number }[]
    >`select server_id, game_id from gameserver`;
    const one = server ?? assert.fail("the demo has game servers");
    for (const reading of [
      member.admin.servers.read(one),
      member.admin.games.read(one),
      member.admin.games.readGuide(one),
      member.admin.order.readGames(),
      member.admin.games.readOrder(one),
    ])
      assert.equal((await reading).error?.code, "permission", "the forms that show it are for admins");
    assert.equal((await site.sql`select from games where game_name = ${body.game_name}`).length, 0);
    assert.deepEqual(await as("admin"), ["read", "written"]);

    const game = (await member.admin.games.list()).data?.data.find(({ game_name }) => game_name === body.game_name);
    assert.ok(game);
    const { data: before } = await member.admin.games.read({ game_id: game.game_id });
    assert.ok(before);
    const { data: after } = await member.admin.games.update({
      game_id: game.game_id,
      revision: before.revision,
      body: { ...before.record, game_acronym: "SES" },
    });
    assert.equal(after?.record.game_acronym, "SES");
    const made = await member.admin.servers.create({
      body: { game_id: game.game_id, server_name: "By a session", adapter: "heartbeat", visibility: "hidden" },
    });
    const server_id = made.data?.server_id ?? 0;
    const row = (await member.admin.servers.list({ game_id: game.game_id })).data?.data[0];
    assert.deepEqual([row?.server_id, row?.visibility, row?.game_id], [server_id, "hidden", game.game_id]);
    assert.equal((await member.admin.servers.renewHeartbeatToken({ server_id })).error, null);
    assert.equal(
      (await member.contact.send({ body: { name: "A", email: "a@example.org", message: "B" } })).error,
      null,
    );
    assert.equal((await member.storage.from("media").list()).error, null);
    const acts = await site.sql<{ what: string; user_agent: string }[]>`
      select what, user_agent from audit_events where actor_id = ${id} and what ~ '^game' order by event_id`;
    assert.deepEqual(
      acts.map(({ what }) => what),
      ["game-created", "game-updated", "gameserver-created", "gameserver-token-made"],
    );
    assert.ok(acts.every(({ user_agent }) => !user_agent.startsWith("API key")));

    // A token for a machine asks for a sign-in of the last fifteen minutes, as its page does.
    await site.sql`update sessions set created_at = now() - interval '16 minutes' where user_id = ${id}`;
    assert.equal((await member.admin.servers.renewHeartbeatToken({ server_id })).error?.code, "not_fresh");
    assert.equal((await member.admin.servers.list()).error, null);
    // What ends the session, or takes the role, ends this too.
    await site.sql`update roles set role = 'user' where user_id = ${id}`;
    assert.notEqual((await member.admin.games.delete({ game_id: game.game_id, confirm: body.game_name })).error, null);
  });

  test("signs in, stays so, tells of it, and signs out; a stolen old token ends the session", async () => {
    const events: AuthEvent[] = [];
    const nobody = client();
    assert.equal((await nobody.auth.getUser()).error?.message, "Auth session missing!");
    assert.equal((await nobody.auth.signOut()).error?.message, "Auth session missing!");
    assert.equal(
      (await nobody.auth.setSession({ access_token: "", refresh_token: "x" })).error?.message,
      "Auth session or user missing",
    );
    assert.equal(
      (await nobody.auth.setSession({ access_token: "x", refresh_token: "x" })).error?.message,
      "JWT is not valid",
    );
    const weak = await nobody.auth.signUp({ email: "new@example.org", password: "short" });
    assert.deepEqual(
      [weak.error?.name, (weak.error as { reasons?: string[] }).reasons],
      ["AuthWeakPasswordError", ["short"]],
    );
    for (const given of [
      {},
      undefined,
      { email: "a@example.org" },
      { password: PASSWORD },
      { email: "", password: "" },
    ]) {
      const [signIn, signUp] = [
        await nobody.auth.signInWithPassword(given as never),
        await nobody.auth.signUp(given as never),
      ];
      for (const { error } of [signIn, signUp])
        assert.deepEqual([error?.name, error?.message], ["AuthInvalidCredentialsError", NO_CREDENTIALS]);
      assert.deepEqual(signIn.data, { user: null, session: null });
      const { response } = await nobody.functions.invoke("session", { body: given ?? {} });
      const { detail } = await (response as Response).json();
      assert.deepEqual([response?.status, detail], [422, NO_CREDENTIALS], JSON.stringify(given));
    }
    assert.equal((await nobody.auth.signUp({ email: "new@example.org", password: PASSWORD })).error, null);
    assert.equal((await site.newestMail("new@example.org")).template, "verify-email");

    const { ours } = await signedIn("stays@example.org");
    ours.auth.onAuthStateChange((event) => events.push(event));
    await pause(10);
    const first = (await ours.auth.getSession()).data.session;
    assert.ok(first);
    const renewed = await Promise.all([ours.auth.refreshSession(), ours.auth.refreshSession()]);
    assert.deepEqual(
      renewed.map(({ error }) => error),
      [null, null],
    );
    assert.equal(
      (await ours.auth.updateUser({ user_nick_name: "Stays Here" })).data.user?.user_nick_name,
      "Stays Here",
    );
    assert.equal((await ours.auth.getUser()).data.user?.user_nick_name, "Stays Here");
    assert.deepEqual(events, ["INITIAL_SESSION", "TOKEN_REFRESHED", "USER_UPDATED"]);
    const thief = await fetch(`${site.base}/api/v1/session/refresh`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ refresh_token: first.refresh_token }),
    });
    assert.equal(thief.status, 401);
    assert.equal((await ours.auth.getUser()).error?.status, 401);
    assert.equal((await ours.auth.refreshSession()).error?.status, 401);
    assert.equal(events.at(-1), "SIGNED_OUT");
    assert.equal((await ours.auth.getSession()).data.session, null);
  });

  test("follows what is live from the first row to a change", async () => {
    const rows = new Map<number, number | null>();
    const states: string[] = [];
    const stop = client().live.follow({
      onChange(all) {
        for (const row of all) rows.set(row.server_id, row.user_online);
      },
      onState: (state) => void states.push(state),
    });
    await until(() => rows.size > 0);
    const [id = 0] = rows.keys();
    await site.sql`update gameserver_live_metrics set status = 'online', user_online = 77, last_asked_at = now() where server_id = ${id}`;
    await until(() => rows.get(id) === 77);
    stop();
    assert.deepEqual(states, ["joining", "joined", "leaving", "closed"]);
  });

  async function until(holds: () => boolean | Promise<boolean>) {
    for (let attempt = 0; attempt < 2_400 && !(await holds()); attempt += 1) await pause(50);
    assert.ok(await holds());
  }
});
