/** What is read of a reply over A2S, and what is not: lies, bots, figures too large for a byte, names. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";
import { startUdpStranger } from "#tests/helpers/network/udp-stranger.ts";
import { infoReply, packet } from "#tests/protocols/a2s-replies.ts";
import { queryA2s } from "./a2s-query.ts";
import type { QueryResult } from "./answer.ts";

function failureOf(result: QueryResult): string | null {
  return result.ok ? null : result.failure;
}

function playersOf(result: QueryResult): number | null | "failed" {
  return result.ok ? result.answer.players : "failed";
}

test("a reply cut short anywhere is malformed, and never half a number", async (context) => {
  const whole = infoReply();
  let length = 6;
  const stranger = await startUdpStranger(context, (reply) => reply(whole.subarray(0, length)));
  for (; length < whole.length; length++) {
    assert.equal(failureOf(await queryA2s(stranger, { deadlineMs: 500 })), "malformed", `${length} bytes`);
  }
  assert.equal(playersOf(await queryA2s(stranger)), 5);
});

test("script, colours and control characters in the name become plain text", async (context) => {
  const name = `\u202e§4<script>alert("x")</script>\x07\n${"long ".repeat(200)}`;
  const stranger = await startUdpStranger(context, (reply) => reply(infoReply({ name })));
  const result = await queryA2s(stranger);
  assert.ok(result.ok);
  assert.match(result.answer.name ?? "", /^<script>alert\("x"\)<\/script> long long/);
  assert.ok((result.answer.name ?? "").length <= 100);
});

test("bots are no people, and more bots than players were never counted among them", async (context) => {
  const counts: { players: number; bots: number }[] = [
    { players: 12, bots: 4 },
    { players: 4, bots: 4 },
    { players: 2, bots: 6 },
  ];
  const stranger = await startUdpStranger(context, (reply) => reply(infoReply(counts.shift())));
  for (const [players, bots] of [
    [8, 4],
    [0, 4],
    [2, 6],
  ]) {
    const result = await queryA2s(stranger);
    assert.deepEqual(result.ok && [result.answer.players, result.answer.bots], [players, bots]);
  }
});

test("whether it asks for a password is heard, of The Ship too, which puts bytes of its own behind it", async (context) => {
  const reply = (appId: string, flag: number, own = "") =>
    packet(`I\x11n\0m\0folder\0game\0${appId}\x05\x14\0dl${String.fromCharCode(flag)}\x01${own}1.0\0\0`);
  const ship = "\x60\x09";
  const replies = [reply("\0\0", 0), reply("\0\0", 1), reply(ship, 0, "\x01\x02\x03"), reply(ship, 1, "\x01\x02\x03")];
  const stranger = await startUdpStranger(context, (answer) => answer(replies.shift() ?? packet("?")));
  for (const expected of [false, true, false, true]) {
    const result = await queryA2s(stranger);
    assert.deepEqual(result.ok && [result.answer.passwordProtected, result.answer.version], [expected, "1.0"]);
  }
});

test("extra data is read past to Valheim's true version, and a lie in it does no harm", async (context) => {
  const valheim = (version: string, extra: string): Buffer =>
    Buffer.concat([
      packet("I\x11"),
      Buffer.from(`n\0m\0valheim\0\0\0\0\x01\x0a\0dl\0\0${version}\0${extra}`, "latin1"),
    ]);
  const everything = `\xf0\x98\x0912345678\x69\x87tv\0g=0.220.5,n=34,m=\0`;
  const replies = [valheim("1.0.0.0", everything), valheim("1.0.0.0", "\xf0\x98"), valheim("1.0.0.0", "\x20<b>\0")];
  const stranger = await startUdpStranger(context, (reply) => reply(replies.shift() ?? packet("")));
  const versions: (string | null)[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const result = await queryA2s(stranger);
    versions.push(result.ok ? result.answer.version : "failed");
  }
  assert.deepEqual(versions, ["0.220.5", "1.0.0.0", "1.0.0.0"]);
});

test("a count that a byte cannot hold is read from the keywords, and a lie in them is no count", async (context) => {
  const RUST = "\x4a\xda\x03";
  /** An info reply with these bytes for players and maximum, these keywords and, where given, this app id. */
  const told = (players: number, max: number, keywords: string, appId = "") =>
    infoReply({ players, max, rest: `1.0\0${appId ? "\x21" : "\x20"}${keywords}\0${appId && `${appId}\0\0\0\0\0`}` });
  const table: [Buffer, number, number][] = [
    // The byte that ends at 255, and the one that begins again.
    [told(255, 255, "mp400,cp312,ptrak,qp7", RUST), 312, 400],
    [told(56, 144, "mp400,cp312,ptrak,qp7", RUST), 312, 400],
    [told(255, 255, "mp400,cp312"), 312, 400],
    [told(56, 144, "x;cp312;mp400"), 312, 400],
    // Rust's byte lags behind, and its queue is not on.
    [told(90, 100, "mp100,cp88,qp40", RUST), 88, 100],
    // A word that means something else, beside a byte that holds the truth.
    [told(20, 24, "cp,cp5,mp64"), 20, 24],
    [told(20, 24, "cp999,mp300"), 20, 24],
    [told(255, 255, "mp"), 255, 255],
    // Lies.
    [told(255, 255, "mp400000,cp999999999", RUST), 255, 255],
    [told(255, 255, "mp-400,cp-3", RUST), 255, 255],
    [told(255, 255, "cp300,cp301,mp400,mp400", RUST), 255, 400],
    [told(255, 255, "cp3e2,mp0x200,cp٣١٢", RUST), 255, 255],
    [told(255, 255, "cp256,".repeat(2_000), RUST), 256, 255],
  ];
  let reply = packet("");
  const stranger = await startUdpStranger(context, (send) => send(reply));
  for (const [sent, players, maxPlayers] of table) {
    reply = sent;
    const result = await queryA2s(stranger);
    const line = sent.toString("latin1").slice(40, 90);
    assert.deepEqual(result.ok && [result.answer.players, result.answer.maxPlayers], [players, maxPlayers], line);
  }
});

test("Battalion 1944 and Soulmask are asked for their rules, and what those do not tell is unknown", async (context) => {
  const server = async (appId: number, rules: Record<string, string>) => {
    const info = {
      name: "n",
      map: "m",
      folder: "f",
      game: "g",
      players: 1,
      maxPlayers: 2,
      version: "1.0",
      appId,
      rules,
    };
    const { port, close } = await startA2sServer({ info: () => info });
    context.after(close);
    const result = await queryA2s({ address: "127.0.0.1", port });
    assert.ok(result.ok);
    const { players, maxPlayers, version, name, passwordProtected } = result.answer;
    return [players, maxPlayers, version, name, passwordProtected];
  };
  const battalion = { bat_name_s: "Omaha", bat_player_count_s: "17", bat_max_players_i: "18", bat_map_s: "wrong" };
  assert.deepEqual(await server(489940, { ...battalion, bat_has_password_s: "Y" }), [17, 18, "1.0", "Omaha", true]);
  const hostile = { bat_player_count_s: "-3", bat_max_players_i: "1e9", bat_name_s: "\u0007", bat_has_password_s: "?" };
  assert.deepEqual(await server(489940, hostile), [null, null, "1.0", "n", false]);
  assert.deepEqual(await server(2646460, { NO_s: "1.2.3" }), [1, 2, "1.2.3", "n", false]);
  assert.deepEqual(await server(2646460, {}), [1, 2, null, "n", false]);
  assert.deepEqual(
    await server(108600, { NO_s: "9", ...battalion }),
    [1, 2, "1.0", "n", false],
    "asked of nobody else",
  );

  // The rules stay without an answer, are cut short, or come in the name of another list.
  const battalionInfo = infoReply({ rest: "1.0\0\x01\xd4\x79\x07\0\0\0\0\0" });
  const replies: (Buffer | null)[] = [null, packet("E\x09\0bat_player_count_s\0"), packet("E\x01\0"), packet("D\0")];
  const stranger = await startUdpStranger(context, (reply, question) => {
    if (question[4] === 0x54) return reply(battalionInfo);
    const rules = replies[0];
    if (rules) reply(rules);
  });
  for (const _ of replies.slice()) {
    const result = await queryA2s(stranger, { deadlineMs: 200 });
    assert.deepEqual(result.ok && [result.answer.players, result.answer.maxPlayers, result.answer.name], [
      null,
      null,
      "A server",
    ]);
    replies.shift();
  }
  const both = await queryA2s(
    await startUdpStranger(context, (reply, question) => {
      const list = question[4] === 0x56 ? packet("E\x01\0bat_max_players_i\x0018\0") : packet("D\0");
      reply(question[4] === 0x54 ? battalionInfo : list);
    }),
    { countFromPlayerList: true },
  );
  assert.deepEqual(both.ok && [both.answer.players, both.answer.maxPlayers], [0, 18], "rules, then the player list");
});

test("the player list is counted for ARK; without it the count is unknown, and the server still up", async (context) => {
  const entry = "\0name\0\0\0\0\0\0\0\0\0";
  const lists: (Buffer | null)[] = [
    packet(`D\x02${entry}${entry}`),
    packet("D\0"),
    packet(`D\x02${entry}${entry.slice(0, 8)}`),
    packet(`D\x01${entry}xyz`),
    null,
    packet("Z"),
  ];
  const stranger = await startUdpStranger(context, (reply, question) => {
    if (question[4] === 0x54) return reply(infoReply({ players: 70 }));
    const list = lists.shift();
    if (list) reply(list);
  });
  const counted: (number | null | "failed")[] = [];
  for (let turn = 0; turn < 6; turn++) {
    counted.push(playersOf(await queryA2s(stranger, { countFromPlayerList: true, deadlineMs: 250 })));
  }
  assert.deepEqual(counted, [2, 0, null, 1, null, null]);
});

test("names are read only where they are wanted, and a list that does not come costs only itself", async (context) => {
  const info = () => ({ name: "x", map: "", folder: "x", game: "x", players: 3, maxPlayers: 9, version: "1" });
  const names = ["Ada", "", "Ada", "\u202eBob\u0000", "§cCleo", "x".repeat(500)];
  const server = await startA2sServer({ info, playerNames: () => names });
  context.after(() => server.close());
  const target = { address: "127.0.0.1", port: server.port };
  for (const options of [{}, { countFromPlayerList: true }]) {
    const plain = await queryA2s(target, options);
    assert.ok(plain.ok && !("playerNames" in plain.answer));
  }
  const named = await queryA2s(target, { wantsNames: true });
  assert.ok(named.ok);
  assert.equal(named.answer.players, 3, "the count stays that of the info");
  assert.deepEqual(named.answer.playerNames, ["Ada", "Bob", "Cleo", "x".repeat(32)]);

  const silent = await startUdpStranger(context, (reply, question) => {
    if (question[4] === 0x54) reply(infoReply());
  });
  const without = await queryA2s(silent, { wantsNames: true, deadlineMs: 250 });
  assert.equal(playersOf(without), 5);
  assert.ok(without.ok && without.answer.playerNames === undefined);
});
