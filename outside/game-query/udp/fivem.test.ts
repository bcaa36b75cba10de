/** FiveM and RedM servers that lie, and what of an honest one's reply is told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startFivemServer } from "#demo/protocols/fivem-server.ts";
import { startUdpStranger } from "#tests/helpers/network/udp-stranger.ts";
import type { About } from "../adapter.ts";
import { queryFivem } from "./fivem.ts";

/** As FXServer writes it; `fields` come behind its own. */
const reply = (question: Buffer, fields = "\\hostname\\Roleplay\\gametype\\\\mapname\\\\iv\\0", game = "CitizenFX") => {
  const challenge = question.toString("latin1").split(" ")[1];
  const head = `infoResponse\n\\sv_maxclients\\64\\clients\\12\\challenge\\${challenge}\\gamename\\${game}\\protocol\\4`;
  return Buffer.concat([Buffer.from("\xff\xff\xff\xff", "latin1"), Buffer.from(head + fields)]);
};

test("what is not an FXServer's reply is malformed: other heads, other games of this protocol, too much", async (context) => {
  const lies: ((question: Buffer) => Buffer)[] = [
    () => Buffer.from("infoResponse"),
    () => Buffer.from("\xff\xff\xff\xffstatusResponse\n\\clients\\1", "latin1"),
    () => Buffer.from("\xff\xff\xff\xffinfoResponse\n", "latin1"),
    () => Buffer.alloc(60_000, 0xff),
    (question) => reply(question, "", "baseoa"),
    (question) => reply(question, `\\hostname\\${"long".repeat(5000)}`),
  ];
  for (const lie of lies) {
    const stranger = await startUdpStranger(context, (answer, question) => answer(lie(question)));
    const result = await queryFivem(stranger, { deadlineMs: 500 });
    assert.equal(result.ok ? "answered" : result.failure, "malformed", lie.toString());
  }
});

test("a reply to somebody else's question is not heard", async (context) => {
  const stranger = await startUdpStranger(context, (answer) => answer(reply(Buffer.from("getinfo xxx"))));
  const result = await queryFivem(stranger, { deadlineMs: 300 });
  assert.equal(result.ok ? "answered" : result.failure, "timeout");
});

test("a name brings no figures of its own, counts that are none are unknown, texts are cleaned", async (context) => {
  const hostname = "^1Los ^5Santos\u202e§4\u0007\\clients\\9999\\sv_maxclients\\9999";
  const rest = [`\\hostname\\${hostname}\\mapname\\^2${"San ".repeat(200)}`, "\\hostname"];
  const stranger = await startUdpStranger(context, (answer, question) => answer(reply(question, rest.shift())));
  const told = await queryFivem(stranger);
  assert.ok(told.ok);
  assert.deepEqual([told.answer.players, told.answer.maxPlayers, told.answer.name], [12, 64, "Los Santos"]);
  assert.ok((told.answer.map ?? "").startsWith("San San") && (told.answer.map ?? "").length <= 100);
  const cut = await queryFivem(stranger);
  assert.ok(cut.ok && cut.answer.name === null);
  for (const [clients, players] of [
    ["-1", null],
    ["12a", null],
    ["", null],
    ["1e3", null],
    ["999999999", 100_000],
    ["2048", 2048],
  ] as const) {
    const odd = await startUdpStranger(context, (answer, question) =>
      answer(Buffer.from(reply(question).toString("latin1").replace("clients\\12", `clients\\${clients}`), "latin1")),
    );
    const result = await queryFivem(odd);
    assert.equal(result.ok && result.answer.players, players, clients);
  }
});

test("which of the two games it is stands in what its operator calls things, or nowhere", async (context) => {
  const told: Record<string, string | null> = {
    "San Andreas": "FiveM",
    "fivem-map-skater": "FiveM",
    "RedM VORP": "RedM",
    "Red Dead Roleplay": "RedM",
    "FiveM and RedM": null,
    Hardcap: null,
  };
  for (const [map, game] of Object.entries(told)) {
    const info = () => ({ name: "A name", players: 3, maxPlayers: 48, map, gameType: "Roleplay" });
    const server = await startFivemServer({ info });
    context.after(() => server.close());
    const heard: About[] = [];
    const result = await queryFivem(
      { address: "127.0.0.1", port: server.port },
      { onAbout: (about) => heard.push(about) },
    );
    assert.ok(result.ok);
    assert.deepEqual([result.answer.players, result.answer.map, heard[0]?.game], [3, map, game]);
  }
});
