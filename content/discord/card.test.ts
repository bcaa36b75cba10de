/** What is said on Discord: names do nothing there, and whatever there is fits into a message. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import markdownIt from "markdown-it";
import type { LiveRow } from "#shared/live-row.ts";
import { type CardScope, cardEmbed, cardMessage } from "./card.ts";
import { cut, escapeText } from "./discord-text.ts";
import { choicesFor, replyTo } from "./replies.ts";
import type { DiscordServer, DiscordSite } from "./site.ts";

const SITE: CardScope = { kind: "site" };
const HOSTILE = [
  "@everyone",
  "<@123456789012345678> <#1> <t:1:R> <:a:1>",
  "**bold** _it_ ~~no~~ ||spoiler|| `code`",
  "[free skins](https://evil.example)",
  "](https://evil.example) [",
  "https://evil.example/x",
  "# heading",
  "- list",
  "> quote",
  "\\[a](https://evil.example)",
  "line\nbreak\u202edesrever\u0000",
];

function server(id: number, more: Partial<DiscordServer> = {}): DiscordServer {
  const game = { game_name: "Valheim", game_slug: "valheim", lifecycle: "active", host: "play.example.org" } as const;
  return { server_id: id, server_name: `Server ${id}`, game_port: 2456, ...game, ...more };
}
const row = (id: number, more: Partial<LiveRow> = {}) =>
  ({
    server_id: id,
    status: "online",
    user_online: 3,
    user_max: 10,
    map: null,
    version: null,
    status_since: "2026-11-22T10:00:00Z",
    ...more,
  }) as LiveRow;
const siteOf = (servers: DiscordServer[], rows: LiveRow[]): DiscordSite => ({
  games: [{ game_id: 7, game_name: "Valheim", game_slug: "valheim" }],
  gameServers: servers,
  live: rows,
  settings: { site_name: "Spawnpoint" },
  site_url: "https://play.example.org",
  delayed_since: null,
});

const markdown = markdownIt({ linkify: true });
// Discord makes links of whole addresses alone.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false }).add("//", null);

describe("what is said on Discord", () => {
  test("a name shows as it was written, and is no mention, no mark and no link", () => {
    for (const name of HOSTILE) {
      const tokens = markdown.parse(`🟢 ${escapeText(name)}`, {}).flatMap((token) => token.children ?? [token]);
      const kinds = new Set(tokens.map(({ type }) => type));
      for (const kind of ["link_open", "strong_open", "em_open", "s_open", "code_inline", "softbreak"]) {
        assert.ok(!kinds.has(kind), `${name}: ${kind}`);
      }
      const shown = tokens.map(({ content, type }) => (/^text/.test(type) ? content : "")).join("");
      const meant = name
        .replaceAll("://", ": //")
        .replace(/[\n\u202e\0]/g, " ")
        .trim();
      assert.equal(shown, `🟢 ${meant}`);
      // Discord reads these whatever stands around them.
      assert.doesNotMatch(escapeText(name), /(?<!\\)[<@|~]|:\/\//);
    }
    const embed = cardEmbed(
      siteOf(
        HOSTILE.map((server_name, id) => server(id + 1, { server_name })),
        [],
      ),
      SITE,
      "en",
    );
    const links = [...(embed?.description ?? "").matchAll(/(?<!\\)\]\((?<to>[^)]*)\)/g)].map(
      (found) => found.groups?.to,
    );
    assert.equal(links.length, HOSTILE.length);
    assert.ok(links.every((to) => to?.startsWith("https://play.example.org/join/")));
    assert.deepEqual((cardMessage(embed, "en", 0) as { allowed_mentions: object }).allowed_mentions, { parse: [] });
  });

  test("totals, players, who is down since when, in both languages, with ways in over https", () => {
    const servers = [
      server(1),
      server(2, { game_name: "ARK", game_slug: "ark", host: null }),
      server(3, { lifecycle: "maintenance" }),
      server(4, { lifecycle: "retired" }),
    ];
    const rows = [
      row(1, { user_online: 1234, user_max: 2000, map: "Hills [x]" }),
      row(2, { status: "offline", user_online: null, status_since: "2026-11-22T10:00:00Z" }),
      row(3, { status: "maintenance", user_online: null }),
      row(4, { status: "inactive", user_online: null }),
    ];
    const embed = cardEmbed(siteOf(servers, rows), SITE, "de");
    assert.deepEqual(embed?.description.split("\n"), [
      "**1.234** Spieler · **1 von 3** Gameservern online",
      "",
      "**Valheim**",
      "🟢 [Server 1](https://play.example.org/de/join/1) · 1.234 / 2.000 · Hills \\[x\\]",
      "**ARK**",
      "🔴 [Server 2](https://play.example.org/de/servers/2) · Offline · ausgefallen <t:1795341600:R>",
      "**Valheim**",
      "🔧 [Server 3](https://play.example.org/de/servers/3) · Wartung",
    ]);
    const one = cardEmbed(siteOf(servers, rows), { kind: "server", server_id: 1 }, "en");
    assert.match(
      one?.description ?? "",
      /^🟢 \*\*Online\*\* · last change <t:1795341600:R> · \*\*1,234 \/ 2,000\*\* players/,
    );
    assert.match(
      one?.description ?? "",
      /Address: `play.example.org:2456`\n\*\*\[Join\]\(https:\/\/play.example.org\/join\/1\)\*\*$/,
    );
    const game = cardEmbed(siteOf(servers, rows), { kind: "game", game_id: 7 }, "en");
    assert.equal(game?.url, "https://play.example.org/games/valheim");
    assert.ok(!game?.description.includes("Server 2"));
    for (const gone of [
      { kind: "server", server_id: 9 },
      { kind: "server", server_id: 4 },
      { kind: "game", game_id: 8 },
    ] as const) {
      assert.equal(cardEmbed(siteOf(servers, rows), gone, "en"), null);
    }
    assert.match(JSON.stringify(cardMessage(null, "en", 60_000)), /not public at the moment.*As of <t:60:R>/);
  });

  test("five thousand game servers fit: the ones with most players, and how many there are besides", () => {
    const ids = Array.from({ length: 5000 }, (_, id) => id + 1);
    const long = (id: number) => server(id, { server_name: `[${"*".repeat(74)}] ${id}` });
    const embed = cardEmbed(
      siteOf(
        ids.map(long),
        ids.map((id) => row(id, { user_online: id })),
      ),
      SITE,
      "en",
    );
    assert.ok(embed);
    const { embeds } = cardMessage(embed, "en", Date.now()) as { embeds: { title: string; description: string }[] };
    assert.ok((embeds[0]?.description.length ?? 0) <= 4096);
    const lines = embed.description.split("\n").filter((line) => line.startsWith("🟢"));
    assert.ok(lines.length >= 15, String(lines.length));
    assert.match(lines[0] ?? "", /\/join\/5000\)/);
    assert.ok(embed.description.includes(`… and ${(5000 - lines.length).toLocaleString("en")} more on [Spawnpoint]`));
    assert.equal(cut("👩‍👩‍👧‍👦".repeat(3), 14), "👩‍👩‍👧‍👦…");
  });

  test("choices while a name is typed, and a name that is not clear", () => {
    const site = siteOf(
      [
        server(1, { server_name: "My hills" }),
        server(2, { server_name: "Hills" }),
        server(3, { server_name: "Hills" }),
      ],
      [row(1)],
    );
    const offered = (typed: string, of: DiscordSite) =>
      (choicesFor(typed, of) as { data: { choices: { value: string }[] } }).data.choices.map(({ value }) => value);
    assert.deepEqual(offered("hil", site), ["#2", "#3", "#1"]);
    const many = Array.from({ length: 60 }, (_, id) => server(id + 1));
    assert.equal(offered("", siteOf(many, [])).length, 25);
    const ask = (name: string) => JSON.stringify(replyTo({ name: "server", options: { name } }, site, "en"));
    assert.match(ask("my"), /My hills/);
    assert.match(ask("hills"), /Which one/);
    assert.match(ask("#1"), /My hills/);
    for (const name of ["", "#9", "nothing"]) assert.match(ask(name), /no game server of that name/);
    assert.match(JSON.stringify(replyTo({ name: "old", options: {} }, site, "de")), /kennt die Seite nicht mehr/);
  });
});
