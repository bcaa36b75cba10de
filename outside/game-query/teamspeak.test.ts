/** TeamSpeak servers that lie, stammer or let nobody look, and what of an honest one's talk is told. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { startTeamspeakServer, type TeamspeakInfo } from "#demo/protocols/teamspeak-server.ts";
import { listSuperlinear } from "#tests/helpers/growth.ts";
import { answerWithoutFigures, type QueryResult } from "./answer.ts";
import { queryTeamspeak, readTalk, teamspeak } from "./teamspeak.ts";

/** A TCP server that does with each visitor what the test says. */
async function startStranger(context: TestContext, onVisitor: (visitor: Socket) => void) {
  const server = createServer((visitor) => {
    visitor.on("error", () => {}).resume();
    context.after(() => visitor.destroy());
    onVisitor(visitor);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => void server.close());
  return { address: "127.0.0.1", port: (server.address() as { port: number }).port };
}

const outcome = (result: QueryResult) => (result.ok ? "answered" : result.failure);
const hello = "TS3\n\rWelcome to the TeamSpeak 3 ServerQuery interface\n\r";
const ok = "error id=0 msg=ok\n\r";
const lounge: TeamspeakInfo = { name: "Lounge", clients: ["Ada", "Grace"], maxClients: 32, version: "3.13.7" };

async function startLounge(context: TestContext, info: Partial<TeamspeakInfo> = {}, voicePort?: number) {
  const server = await startTeamspeakServer({ info: () => ({ ...lounge, ...info }), ...(voicePort && { voicePort }) });
  context.after(() => server.close());
  return { address: "127.0.0.1", port: server.port };
}

test("what is no ServerQuery is malformed: another greeting, none, too much, an answer without a server in it", async (context) => {
  for (const talk of [
    "SSH-2.0-OpenSSH_9.9\r\n",
    "HTTP/1.1 400 Bad Request\r\n\r\n",
    "TS\n\r",
    "TS3X\n\r",
    "XXXXXXXXXX",
    `${hello}${ok}${ok}`,
    `${hello}${ok}cid=1\n\r${ok}`,
    `TS3\n\r${"x".repeat(70_000)}`,
  ]) {
    const stranger = await startStranger(context, (visitor) => visitor.write(talk));
    assert.equal(outcome(await queryTeamspeak(stranger, { deadlineMs: 1000 })), "malformed", talk.slice(0, 60));
  }
});

test("half a talk is a timeout, a talk broken off is malformed", async (context) => {
  for (const talk of [
    "",
    "T",
    hello,
    `${hello}${ok}virtualserver_name=x`,
    `${hello}${ok}virtualserver_name=x\n\rerror id=0`,
  ]) {
    const stranger = await startStranger(context, (visitor) => visitor.write(talk));
    assert.equal(outcome(await queryTeamspeak(stranger, { deadlineMs: 150 })), "timeout", talk);
    const rude = await startStranger(context, (visitor) => visitor.end(talk || "T"));
    assert.equal(outcome(await queryTeamspeak(rude, { deadlineMs: 500 })), "malformed", talk);
  }
});

test("people are counted without those who only ask, and what they wrote brings no figures of its own", async (context) => {
  const name = "The | Lounge\\ virtualserver_clientsonline=999 \u202e§cé/Ж";
  const place = await startLounge(context, { name, passwordProtected: true });
  const result = await queryTeamspeak(place);
  assert.ok(result.ok);
  assert.deepEqual(result.answer, {
    ...answerWithoutFigures,
    players: 2,
    maxPlayers: 32,
    version: "3.13.7",
    name: "The | Lounge\\ virtualserver_clientsonline=999 é/Ж",
    passwordProtected: true,
  });
});

test("a talk in single bytes is read, and counts that are none are unknown", async (context) => {
  const talk = `${hello}${ok}virtualserver_name virtualserver_clientsonline=-2 virtualserver_maxclients=1e9 virtualserver_queryclientsonline=7 virtualserver_version=\\s\\x\n\r${ok}`;
  const slow = await startStranger(context, async (visitor) => {
    visitor.setNoDelay(true);
    for (const sign of talk) {
      visitor.write(sign);
      await new Promise(setImmediate);
    }
  });
  const result = await queryTeamspeak(slow);
  assert.deepEqual(result.ok && result.answer, answerWithoutFigures);
  const negative = readTalk(`${hello}${ok}virtualserver_clientsonline=1 virtualserver_queryclientsonline=5\n\r${ok}`);
  assert.ok(typeof negative === "object");
});

test("who lets guests see nothing is up, who has no running server at that port is not", async (context) => {
  const shy = await queryTeamspeak(await startLounge(context, { guestsSee: "nothing" }));
  assert.deepEqual(shy.ok && shy.answer, answerWithoutFigures);
  const listed = await startStranger(context, (visitor) =>
    visitor.write(`${hello}${ok}error id=2568 msg=insufficient\\sclient\\spermissions failed_permid=8\n\r`),
  );
  assert.deepEqual(outcome(await queryTeamspeak(listed)), "answered");

  const second = await startLounge(context, {}, 9988);
  assert.equal(outcome(await queryTeamspeak(second)), "refused");
  const found = await queryTeamspeak(second, { voicePort: 9988 });
  assert.deepEqual(found.ok && found.answer.players, 2);
});

test("it is told which server to look at, and nothing that a record says gets into a command", async (context) => {
  const asked: string[] = [];
  const server = await startStranger(context, (visitor) => visitor.on("data", (bytes) => asked.push(bytes.toString())));
  await queryTeamspeak(server, { voicePort: 9990, deadlineMs: 200 });
  assert.deepEqual(asked, ["use port=9990\nserverinfo\nquit\n"]);
});

test("an answer costs as much as it is long, whatever version it names", () => {
  const read = (version: string) =>
    teamspeak.replies?.read(Buffer.from(`${hello}${ok}virtualserver_version=${version}\n\r${ok}`));
  const builds = (length: number) => `${"\\s[Build:\\s".repeat(length / 11)}\u2028`;
  assert.deepEqual(listSuperlinear(read, 4000, [builds, "\\s[Build:\\s", "\\s", "a "]), []);
});
