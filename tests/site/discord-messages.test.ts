/** What Discord is told: its slash commands are answered from memory, and from nobody but Discord. */
import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { InteractionResponseFlags, InteractionResponseType, InteractionType, verifyKey } from "discord-interactions";
import { seedDemoContent } from "#demo/demo-content.ts";
import { type AccountSite, startAccountSite } from "#tests/helpers/account-site.ts";
import { type FakeDiscord, startFakeDiscord } from "#tests/helpers/discord/fake-discord.ts";
import { createDoor } from "#tests/helpers/test-bed.ts";
import { until } from "#tests/helpers/until.ts";

const PATH = "/discord/interactions";
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const publicHex = Buffer.from(String(publicKey.export({ format: "jwk" }).x), "base64url").toString("hex");

let site: AccountSite;
let fake: FakeDiscord;
let door: Awaited<ReturnType<typeof createDoor>>;
const ids: Record<"shown" | "members" | "hidden", number> = { shown: 0, members: 0, hidden: 0 };

before(async () => {
  fake = await startFakeDiscord();
  const app = { DISCORD_CLIENT_ID: "123456789012345678", DISCORD_CLIENT_SECRET: "a secret of Discord's" };
  site = await startAccountSite(
    { DISCORD_PUBLIC_KEY: publicHex, SPAWNPOINT_DISCORD_API: fake.base, ...app },
    async (url) => {
      door = await createDoor(url);
      return door.url;
    },
  );
  await seedDemoContent(site.database.db);
  const rows = await site.sql<{ server_id: number }[]>`select server_id from gameserver order by 1 limit 3`;
  [ids.shown, ids.members, ids.hidden] = rows.map((row) => row.server_id) as [number, number, number];
  await site.sql`update gameserver set visibility = case server_id when ${ids.hidden} then 'hidden' when ${ids.members} then 'members' else 'public' end,
    server_name = case server_id when ${ids.hidden} then 'Secret keep' when ${ids.members} then 'Members cave' when ${ids.shown} then '@everyone *hills*' else server_name end`;
  for (let attempt = 0; !JSON.stringify((await ask(command("servers"))).body).includes("everyone"); attempt += 1) {
    assert.ok(attempt < 100, "the site shows the game servers");
  }
});
after(async () => {
  door.heal();
  await site.stop();
  await door.close();
  await fake.close();
});

let asked = 0;
/** Every interaction has an id of its own. */
const interaction = (more: object) => ({
  id: String(9_000_000_000_000_000 + asked++),
  application_id: "1",
  token: "x",
  version: 1,
  ...more,
});
const ping = () => interaction({ type: InteractionType.PING });
const command = (name: string, options: object[] = [], locale = "en-US") =>
  interaction({ type: InteractionType.APPLICATION_COMMAND, locale, data: { id: "1", type: 1, name, options } });
const named = (value: string) => [{ type: 3, name: "name", value }];

type Sent = { body: string; timestamp: string; signature: string };
type Answer = {
  type?: number;
  data?: {
    content?: string;
    flags?: number;
    embeds?: { description: string; title: string }[];
    components?: object[];
    choices?: { name: string; value: string }[];
    allowed_mentions?: object;
  };
};

function signed(
  given: object | string,
  { at = Date.now(), key = privateKey }: { at?: number; key?: KeyObject } = {},
): Sent {
  const body = typeof given === "string" ? given : JSON.stringify(given);
  const timestamp = String(Math.floor(at / 1000));
  return { body, timestamp, signature: sign(null, Buffer.from(timestamp + body), key).toString("hex") };
}
async function send({ body, timestamp, signature }: Sent) {
  const response = await fetch(site.base + PATH, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Signature-Ed25519": signature,
      "X-Signature-Timestamp": timestamp,
    },
    body,
  });
  const text = await response.text();
  return { status: response.status, text, body: (text ? JSON.parse(text) : {}) as Answer };
}
const ask = (given: object) => send(signed(given));

describe("slash commands", () => {
  test("nobody but Discord is answered: wrong, changed, late, early and repeated requests are refused", async () => {
    const right = signed(ping());
    assert.equal(
      await verifyKey(right.body, right.signature, right.timestamp, publicHex),
      true,
      "signed as Discord signs",
    );
    const other = generateKeyPairSync("ed25519").privateKey;
    const wrong: Record<string, Sent> = {
      "another key": signed(ping(), { key: other }),
      "another body": { ...right, body: JSON.stringify(command("servers")) },
      "another time": { ...right, timestamp: String(Number(right.timestamp) + 1) },
      "no signature": { ...right, signature: "" },
      "half a signature": { ...right, signature: right.signature.slice(0, 64) },
      "no hex": { ...right, signature: "z".repeat(128) },
      "no time": { ...right, timestamp: "" },
    };
    for (const [why, sent] of Object.entries(wrong)) {
      const opinion = await verifyKey(sent.body, sent.signature, sent.timestamp, publicHex).catch(() => false);
      assert.equal(opinion, false, why);
      assert.equal((await send(sent)).status, 401, why);
    }
    for (const at of [Date.now() - 7_000, Date.now() + 7_000, 0]) {
      const sent = signed(ping(), { at });
      assert.equal(await verifyKey(sent.body, sent.signature, sent.timestamp, publicHex), true);
      assert.equal((await send(sent)).status, 401, String(at));
    }
    assert.deepEqual((await send(right)).body, { type: InteractionResponseType.PONG });
    assert.equal((await send(right)).status, 401, "the same once more");
    assert.equal(
      (await send({ ...right, signature: right.signature.toUpperCase() })).status,
      401,
      "or in other letters",
    );
    assert.equal((await fetch(site.base + PATH)).status, 404);
  });

  test("what is signed and no interaction is refused, and breaks nothing", async () => {
    for (const body of [
      "",
      "{",
      "[]",
      "7",
      '{"type":"2"}',
      '{"type":2}',
      '{"type":99,"data":{"name":"x"}}',
      `{"type":2,"data":{"name":"${"x".repeat(40)}"}}`,
    ]) {
      assert.equal((await send(signed(body))).status, 400, body);
    }
    assert.equal((await send(signed(`{"type":1,"x":"${"x".repeat(70_000)}"}`))).status, 413);
    const odd = await ask(
      command("server", [
        { type: 4, name: "name", value: 7 },
        { type: 3, name: "__proto__", value: "x" },
      ]),
    );
    assert.match(odd.body.data?.content ?? "", /no game server of that name/);
    assert.equal((await ask(ping())).status, 200);
  });

  test("the game servers that everybody may see, to who asked or to all, in the member's language", async () => {
    const alone = (await ask(command("servers"))).body;
    assert.equal(alone.type, InteractionResponseType.CHANNEL_MESSAGE_WITH_SOURCE);
    assert.equal(alone.data?.flags, InteractionResponseFlags.EPHEMERAL);
    assert.deepEqual(alone.data?.allowed_mentions, { parse: [] });
    const said = alone.data?.embeds?.[0]?.description ?? "";
    assert.ok(said.includes(`[\\@everyone \\*hills\\*](${site.base}/`), said);
    const toAll = (await ask(command("servers", [{ type: 5, name: "show", value: true }], "de"))).body;
    assert.equal(toAll.data?.flags, 0);
    assert.match(toAll.data?.embeds?.[0]?.description ?? "", /Gameservern online/);
    const one = (await ask(command("server", named(`#${ids.shown}`), "de"))).body;
    assert.equal(one.data?.embeds?.[0]?.title, "\\@everyone \\*hills\\*");
    assert.deepEqual(one.data?.components, [
      {
        type: 1,
        components: [{ type: 2, style: 5, label: "Alles darüber", url: `${site.base}/de/servers/${ids.shown}` }],
      },
    ]);
    const follow = JSON.stringify((await ask(command("follow", named(`#${ids.shown}`)))).body);
    assert.ok(follow.includes(`${site.base}/servers/${ids.shown}#tell-me`));
    assert.ok(JSON.stringify((await ask(command("follow"))).body).includes(`"url":"${site.base}/"`));
    const typed = (
      await ask(
        interaction({
          type: InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE,
          data: { name: "server", options: [{ ...named("hills")[0], focused: true }] },
        }),
      )
    ).body;
    assert.equal(typed.type, InteractionResponseType.APPLICATION_COMMAND_AUTOCOMPLETE_RESULT);
    assert.equal(typed.data?.choices?.[0]?.value, `#${ids.shown}`);
  });

  test("what is for members, or hidden, is nowhere", async () => {
    const answers = [command("servers")];
    for (const name of ["server", "follow"])
      for (const value of ["secret", "cave", `#${ids.hidden}`, `#${ids.members}`])
        answers.push(command(name, named(value)));
    for (const value of ["sec", "cav", ""])
      answers.push(
        interaction({
          type: InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE,
          data: { name: "server", options: [{ ...named(value)[0], focused: true }] },
        }) as never,
      );
    for (const each of answers) {
      const { text, status } = await ask(each);
      assert.equal(status, 200);
      assert.doesNotMatch(text, /Secret keep|Members cave/);
    }
  });

  test("while Postgres stands still, a hundred commands are answered without it", async () => {
    door.pause();
    for (let turn = 0; turn < 100; turn += 1) {
      const sent = signed(turn % 2 === 0 ? command("servers") : command("server", named(`#${ids.shown}`)));
      const { status } = await send(sent);
      assert.equal(status, 200);
    }
    door.heal();
  });
});

describe("the channels that admins connect", () => {
  const PAGE = "/admin/notifications/discord";
  const WEBHOOK = "700000000000000001";

  test("a webhook is sealed, told by its end alone, and has a card, posts and a test; disconnecting takes all of it away", async () => {
    const { at, user } = await site.signedIn("admin@example.org");
    assert.ok([403, 404].includes((await at.post(PAGE, { intent: "test" })).status), "members may not");
    await site.sql`update roles set role = 'admin' where user_id = ${user.id}`;
    const url = fake.address(WEBHOOK);
    const token = url.split("/").at(-1) ?? "";
    const connect = (address: string, name = "Team <b>") =>
      at.post(PAGE, { intent: "connect", name, url: address, locale: "en", with_card: "on", with_posts: "on" });
    for (const wrong of [
      "",
      url.replace("discord.com", "discord.com.evil.example"),
      url.replace("https:", "http:"),
      url.replace("discord.com", "127.0.0.1"),
      url.replace("discord.com", "discord.com:8443"),
      url.replace("https://", "https://user@"),
      url.replace("/webhooks/", "/webhooks/../users/"),
      `${url}/messages/1`,
      `${url}?wait=false`,
      `${url}?thread_id=1`,
    ]) {
      const refused = await connect(wrong);
      assert.equal(refused.status, 422, wrong);
      assert.ok(!refused.text.includes(token), "a secret is not shown again");
    }
    assert.equal(fake.requests.length, 0, "nobody was asked");
    fake.forget("700000000000000009");
    assert.equal((await connect(fake.address("700000000000000009"))).status, 422, "Discord knows it not");
    const made = await connect(url.replace("discord.com", "ptb.discord.com"));
    assert.equal(made.status, 200);
    assert.equal((await connect(url)).status, 409, "it is there");
    await until("its card", () => [...fake.messages.values()].length === 1);
    assert.match(JSON.stringify([...fake.messages.values()]), /everyone/);
    assert.doesNotMatch(JSON.stringify([...fake.messages.values()]), /Secret keep|Members cave/);
    const { text } = await at.get(PAGE);
    assert.ok(text.includes("Team &lt;b&gt;") && text.includes(`…${token.slice(-4)}`));
    for (const told of [
      made.text,
      text,
      JSON.stringify(await site.sql`select * from notification_targets`),
      JSON.stringify(await site.sql`select * from audit_events`),
    ]) {
      assert.ok(!told.includes(token), "the secret is nowhere");
    }
    const [target] = await site.sql<
      { target_id: string }[]
    >`select target_id from notification_targets where kind = 'discord'`;
    const target_id = target?.target_id ?? "";
    assert.equal((await at.post(PAGE, { intent: "test", target_id })).status, 200);
    assert.equal(fake.messages.size, 2);
    assert.equal((await site.sql`select from notification_rules where target_id = ${target_id}`).length, 1);
    assert.equal((await at.post(PAGE, { intent: "card", target_id, about: `server:${ids.shown}` })).status, 200);
    assert.equal((await at.post(PAGE, { intent: "card", target_id, about: `server:${ids.shown}` })).status, 409);
    for (const about of ["server:99999999", "game:99999999", "all", ""]) {
      assert.equal((await at.post(PAGE, { intent: "card", target_id, about })).status, 410, about);
    }
    const shown = () => site.sql`select from discord_cards where kind = 'server' and state = 'shown'`;
    await until("another card", async () => fake.messages.size === 3 && (await shown()).length === 1);

    const [card] = await site.sql<
      { card_id: string }[]
    >`update discord_cards set state = 'doubtful', message_id = null where kind = 'server' returning card_id`;
    const again = (link: string) => at.post(PAGE, { intent: "card-again", card_id: card?.card_id ?? "", link });
    assert.match((await at.get(PAGE)).text, /Nobody knows whether Discord has posted it/);
    assert.equal((await again("https://evil.example/channels/1/2/3")).status, 422);
    const own = [...fake.messages.values()].at(-1)?.id;
    assert.equal(
      (await again(`https://discord.com/channels/123456789012345678/123456789012345678/${own}`)).status,
      200,
    );
    await until(
      "it is shown again",
      async () =>
        (
          await site.sql`select from discord_cards where state = 'shown' and message_id = ${own ?? ""} and content_hash is not null`
        ).length === 1,
    );
    assert.equal(fake.messages.size, 3);

    assert.equal((await at.post(PAGE, { intent: "disconnect", target_id })).status, 200);
    assert.ok(!(await at.get(PAGE)).text.includes("Team &lt;b&gt;"));
    await until(
      "nothing is kept",
      async () => (await site.sql`select from notification_targets where kind = 'discord'`).length === 0,
    );
    assert.equal(fake.messages.size, 1, "what was posted stays, the cards go");
    assert.equal(fake.requests.filter(({ limited }) => limited).length, 0);
  });

  test("the commands are registered as the application itself, in both languages", async () => {
    const { at } = await site.signedInAdmin("registers@example.org");
    assert.ok((await at.get(PAGE)).text.includes(`${site.base}${PATH}`));
    assert.equal((await at.post(PAGE, { intent: "register" })).status, 200);
    const known = fake.commands() as { name: string; description: string; description_localizations: { de: string } }[];
    assert.deepEqual(
      known.map(({ name }) => name),
      ["servers", "server", "follow"],
    );
    // Discord's limits of names and descriptions.
    const texts = JSON.stringify(known).matchAll(/"(?:description|de)":"([^"]*)"/g);
    for (const [, text = ""] of texts) assert.ok(text.length >= 1 && text.length <= 100, text);
    for (const { name } of known) assert.match(name, /^[-_\p{Ll}\p{N}]{1,32}$/u);
    fake.setTrouble((request, response) => {
      if (request.path !== "/oauth2/token") return false;
      response.writeHead(401).end("{}");
      return true;
    });
    const refused = await at.post(PAGE, { intent: "register" });
    fake.setTrouble(null);
    assert.equal(refused.status, 503);
    assert.match(refused.text, /rejected the commands: 401/);
  });
});
