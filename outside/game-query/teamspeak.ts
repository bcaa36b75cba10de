/**
 * Asks a TeamSpeak 3 server by its ServerQuery over TCP, as a guest: it chooses the virtual server by the port that people type
 * and reads what it says of itself (TeamSpeak's ServerQuery manual). Nothing is changed, nobody's name is asked for.
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
/** Its usual ones: a machine counts up from the first. */
const LAST_VOICE_PORT = 9999;
const GREETING = "TS3";
/** What it says of itself takes a tenth of this. */
const longestTalk = 65_536;

/** Numbers that its lines `error id=…` end a command with. */
const OK = "0";
/** The guest may not: it is there, and says no more. */
const NOT_ALLOWED = "2568";

type Talk = { info: ReadonlyMap<string, string> | null; state: "running" | "stopped" };

/**
 * Asks `target` for the virtual server that people reach at `voicePort` (9987 by default); never rejects. One that lets guests
 * see nothing is up, with null for all figures; a machine that answers, and has no running server at that port, is `refused`.
 * `deadlineMs` covers everything, 2,000 by default.
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
  // All in one: it answers them in turn, and its limit of commands is far away.
  const greeting = Buffer.from(`use port=${voicePort}\nserverinfo\nquit\n`);
  const result = await exchangeOverTcp(target, { greeting, onBytes, deadlineMs });
  if (isStopped) return { ok: false, latencyMs: result.latencyMs, failure: "refused" };
  if (result.ok) onAbout?.({ game: "TeamSpeak", steamAppId: null, gamePort: voicePort, options: {} });
  return result;
}

/** What it has said so far, in latin1: its greeting, then a line with an error's number behind each command. */
export function readTalk(heard: string): Talk | "more" | "malformed" {
  const lines = heard.split(/[\r\n]+/);
  // The last line may go on.
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

/** Each name once, its first value: what people wrote stands behind its name with all its spaces escaped. */
function readFields(line: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const field of line.split(" ")) {
    const equals = field.indexOf("=");
    const name = equals === -1 ? field : field.slice(0, equals);
    if (!fields.has(name)) fields.set(name, equals === -1 ? "" : field.slice(equals + 1));
  }
  return fields;
}

/** People without those who only ask, as we do; the build behind the version is left out. */
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

/** The manual's escapes; those of controls become spaces. What was read as latin1 is UTF-8. */
function unescaped(text = ""): string {
  const plain: Record<string, string> = { "\\": "\\", "/": "/", s: " ", p: "|" };
  return Buffer.from(text, "latin1")
    .toString("utf8")
    .replace(/\\(.)/gs, (_, sign: string) => plain[sign] ?? " ");
}

export const teamspeak: Adapter = {
  query: ({ address, port, gamePort, deadlineMs, onAbout }) =>
    // A record with one port alone has that of the query.
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
