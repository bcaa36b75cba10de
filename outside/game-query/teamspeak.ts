/**
 * Polls a TeamSpeak 3 server by its ServerQuery over TCP, as a guest: selects the virtual server by the port that people type
 * and reads its information (TeamSpeak's ServerQuery manual). Changes nothing, requests no names.
 */
import { ADAPTER_FACTS } from "#shared/adapters.ts";
import type { About, Adapter } from "./adapter.ts";
import {
  answerWithoutFigures,
  cleanCountText,
  cleanText,
  type GameAnswer,
  type QueryResult,
  type QueryTarget,
} from "./answer.ts";
import { bytes, readAs } from "./reply-reader.ts";
import { exchangeOverTcp, type Reading } from "./tcp-exchange.ts";

const QUERY_PORT = ADAPTER_FACTS.teamspeak.usualQueryPort;
const VOICE_PORT = 9987;
/** The usual voice ports: a machine counts up from the first. */
const LAST_VOICE_PORT = 9999;
const GREETING = "TS3";
/** An honest reply has a tenth of this. */
const longestTalk = 65_536;

/** Result codes in the lines `error id=…` that end a command. */
const OK = "0";
/** Guests have no permission: it is up, without further data. */
const NOT_ALLOWED = "2568";

type Talk = { info: ReadonlyMap<string, string> | null; state: "running" | "stopped" };

/**
 * Polls `target` for the virtual server that people reach at `voicePort` (9987 by default); never rejects. One that shows
 * nothing to guests is up, with null for all figures; a machine that replies without a running server at that port is
 * `refused`. `deadlineMs` covers everything, 2,000 by default.
 */
export async function queryTeamspeak(
  target: QueryTarget,
  options: { voicePort?: number | null; deadlineMs?: number; onAbout?: ((about: About) => void) | undefined } = {},
): Promise<QueryResult> {
  const { deadlineMs = 2000, onAbout } = options;
  const voicePort = options.voicePort ?? VOICE_PORT;
  let heard = "";
  let isStopped = false;
  const onBytes = (bytes: Buffer): Reading => {
    heard += bytes.toString("latin1");
    if (heard.length > longestTalk) return "malformed";
    const talk = readTalk(heard);
    if (typeof talk === "string") return talk;
    isStopped = talk.state === "stopped";
    return talk.info ? readInfo(talk.info) : answerWithoutFigures;
  };
  // Sent together: it runs them in turn, and its limit of commands is far higher.
  const greeting = Buffer.from(`use port=${voicePort}\nserverinfo\nquit\n`);
  const result = await exchangeOverTcp(target, { greeting, onBytes, deadlineMs });
  if (isStopped) return { ok: false, latencyMs: result.latencyMs, failure: "refused" };
  if (result.ok) onAbout?.({ game: "TeamSpeak", steamAppId: null, gamePort: voicePort, options: {} });
  return result;
}

/** Parses the bytes so far, in latin1: the greeting, then a line with a result code after each command. */
export function readTalk(heard: string): Talk | "more" | "malformed" {
  const lines = heard.split(/[\r\n]+/);
  // The last line may be partial.
  const whole = lines.slice(0, -1);
  if (whole.length === 0)
    return GREETING.startsWith(heard.slice(0, GREETING.length)) && heard.length < 8 ? "more" : "malformed";
  if (whole[0] !== GREETING) return "malformed";
  const errors = whole.filter((line) => line.startsWith("error "));
  const [used, told] = errors.map((line) => /^error id=(\d{1,6})(?: |$)/.exec(line)?.[1] ?? "");
  if (used === undefined) return "more";
  if (used === NOT_ALLOWED) return { info: null, state: "running" };
  if (used !== OK) return { info: null, state: "stopped" };
  if (told === undefined) return "more";
  if (told !== OK) return { info: null, state: "running" };
  const line = whole.find((one) => one.startsWith("virtualserver_"));
  return line === undefined ? "malformed" : { info: readFields(line), state: "running" };
}

/** Reads each name's first value only: users' own texts come after their name, with all spaces escaped. */
function readFields(line: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const field of line.split(" ")) {
    const equals = field.indexOf("=");
    const name = equals === -1 ? field : field.slice(0, equals);
    if (!fields.has(name)) fields.set(name, equals === -1 ? "" : field.slice(equals + 1));
  }
  return fields;
}

/** Excludes query clients like ourselves from the players; omits the build after the version. */
function readInfo(info: ReadonlyMap<string, string>): GameAnswer {
  const clients = cleanCountText(info.get("virtualserver_clientsonline"));
  const asking = cleanCountText(info.get("virtualserver_queryclientsonline")) ?? 0;
  const flag = info.get("virtualserver_flag_password");
  return {
    ...answerWithoutFigures,
    players: clients === null ? null : Math.max(clients - asking, 0),
    maxPlayers: cleanCountText(info.get("virtualserver_maxclients")),
    version: cleanText(unescaped(info.get("virtualserver_version")).split(" [Build: ", 1)[0] ?? ""),
    name: cleanText(unescaped(info.get("virtualserver_name"))),
    passwordProtected: flag === "1" ? true : flag === "0" ? false : null,
  };
}

/** Decodes the manual's escapes; those of controls become spaces. The latin1 bytes are UTF-8. */
function unescaped(text = ""): string {
  const plain: Record<string, string> = { "\\": "\\", "/": "/", s: " ", p: "|" };
  return Buffer.from(text, "latin1")
    .toString("utf8")
    .replace(/\\(.)/gs, (_, sign: string) => plain[sign] ?? " ");
}

export const teamspeak: Adapter = {
  query: ({ address, port, gamePort, deadlineMs, onAbout }) =>
    // A record with only one port has that of the query.
    queryTeamspeak({ address, port }, { voicePort: gamePort === port ? null : gamePort, deadlineMs, onAbout }),
  deadlineMs: 2000,
  transport: "tcp",
  tries(port) {
    if (port === null) return [{ port: QUERY_PORT }];
    const isVoice = port >= VOICE_PORT && port <= LAST_VOICE_PORT;
    return isVoice ? [{ port: QUERY_PORT, gamePort: port }, { port }] : [{ port }];
  },
  game: () => "TeamSpeak",
  certainty: () => 30,
  replies: {
    golden: [
      "virtualserver_name=The\\sLounge\\p virtualserver_version=3.13.7\\s[Build:\\s1655727713] virtualserver_maxclients=32 virtualserver_clientsonline=6 virtualserver_queryclientsonline=1 virtualserver_flag_password=1",
      "virtualserver_unique_identifier virtualserver_name=\\xc3\\xa9 virtualserver_clientsonline=2",
    ].map((line) => bytes(`TS3\n\rWelcome\n\rerror id=0 msg=ok\n\r${line}\n\rerror id=0 msg=ok\n\r`)),
    read(reply) {
      const talk = readTalk(reply.toString("latin1"));
      return typeof talk === "string" || !talk.info ? { answer: null } : readAs(readInfo(talk.info));
    },
  },
  notes: {
    title: "TeamSpeak 3 (ServerQuery)",
    how: "A guest reads the virtual server at the game port, without query clients.",
    traps: [
      "If *Guest Server Query* lacks `b_virtualserver_info_view`, figures are unknown.",
      "More than ten commands in three seconds get an address banned, and a check takes three: add the collector to `query_ip_allowlist.txt`.",
      "TeamSpeak 6 has no such query: use a heartbeat.",
    ],
    open: "the query port. `query_protocols` must contain `raw`.",
  },
};
