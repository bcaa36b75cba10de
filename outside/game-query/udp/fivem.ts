/** Asks FiveM and RedM game servers by `getinfo`, as Quake III's are: one packet each way, at the port that players type. */
import { randomUUID } from "node:crypto";
import type { About, Adapter } from "../adapter.ts";
import {
  answerWithoutFigures,
  cleanCountText,
  cleanText,
  type GameAnswer,
  type QueryResult,
  type QueryTarget,
} from "../answer.ts";
import { bytes } from "../reply-reader.ts";
import { exchangeOverUdp } from "../udp-exchange.ts";

const head = Buffer.from("\xff\xff\xff\xffinfoResponse\n", "latin1");
/** A long name and a long list of tags take a tenth of it. */
const longestReply = 16_384;

/**
 * Asks `target`; never rejects. A reply without our challenge in it is nobody's answer to us, and not heard. `deadlineMs`
 * covers everything, 2,000 by default. Neither asks over HTTP nor reads the list of players. `onAbout` hears which of the
 * two games it is, where the reply tells.
 */
export function queryFivem(
  target: QueryTarget,
  { deadlineMs = 2000, onAbout }: { deadlineMs?: number; onAbout?: ((about: About) => void) | undefined } = {},
): Promise<QueryResult> {
  const challenge = randomUUID();
  return exchangeOverUdp(target, {
    request: Buffer.from(`\xff\xff\xff\xffgetinfo ${challenge}`, "latin1"),
    onPacket(packet) {
      const told = readInfoResponse(packet, challenge);
      if (typeof told === "string") return told;
      onAbout?.({ game: told.game(), steamAppId: null, gamePort: null, options: {} });
      return told.answer;
    },
    deadlineMs,
  });
}

/** Reads a reply to a question with this challenge; `more`: it is one to another. `game` gives null where it could be either. */
function readInfoResponse(
  packet: Buffer,
  challenge: string,
): { answer: GameAnswer; game: () => string | null } | "more" | "malformed" {
  const fields = readFields(packet);
  if (fields?.get("gamename") !== "CitizenFX") return "malformed";
  if (fields.get("challenge") !== challenge) return "more";
  return { answer: answerOf(fields), game: () => gameOf(fields) };
}

/** What stands in the reply, each name once: the figures come first, so that no name of a server can bring others. */
function readFields(packet: Buffer): Map<string, string> | null {
  if (packet.length > longestReply || !packet.subarray(0, head.length).equals(head)) return null;
  const [, ...parts] = packet.toString("utf8", head.length).split("\\");
  const fields = new Map<string, string>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const name = parts[at] ?? "";
    if (!fields.has(name)) fields.set(name, parts[at + 1] ?? "");
  }
  return fields;
}

function answerOf(fields: Map<string, string>): GameAnswer {
  return {
    ...answerWithoutFigures,
    players: cleanCountText(fields.get("clients")),
    maxPlayers: cleanCountText(fields.get("sv_maxclients")),
    name: withoutColours(fields.get("hostname")),
    map: withoutColours(fields.get("mapname")),
  };
}

/** Quake III's colours: ^ and a digit. */
const withoutColours = (text = ""): string | null => cleanText(text.replaceAll(/\^\d/g, ""));

/** Both games run on the same server program; only what their operators call things, and the frameworks of each, tell them apart. */
const FIVEM = /fivem|\bgta|san andreas|los santos|\besx\b|\bqb-?core\b|\bqbox\b/i;
const REDM = /redm|\brdr2?\b|red dead|\bvorp\b|\brsg\b/i;

function gameOf(fields: Map<string, string>): string | null {
  const told = ["mapname", "gametype", "hostname"].map((name) => fields.get(name) ?? "").join(" ");
  const isRedm = REDM.test(told);
  const isFivem = FIVEM.test(told);
  return isRedm === isFivem ? null : isRedm ? "RedM" : "FiveM";
}

const GOLDEN_CHALLENGE = "0a1b2c3d4e5f";

export const fivem: Adapter = {
  query: ({ address, port, deadlineMs, onAbout }) => queryFivem({ address, port }, { deadlineMs, onAbout }),
  deadlineMs: 2000,
  transport: "udp",
  tries: (port) => [{ port: port ?? 30_120 }],
  game: () => null,
  certainty: () => 30,
  replies: {
    golden: [
      bytes(
        `\xff\xff\xff\xffinfoResponse\n\\sv_maxclients\\512\\clients\\217\\challenge\\${GOLDEN_CHALLENGE}\\gamename\\CitizenFX\\protocol\\4\\hostname\\^1Los ^5Santos\\gametype\\ESX\\mapname\\San Andreas\\iv\\831412`,
      ),
    ],
    read(reply) {
      const told = readInfoResponse(reply, GOLDEN_CHALLENGE);
      return typeof told === "string" ? { answer: null } : { answer: told.answer, texts: [told.game()] };
    },
    untold: ["version"],
  },
  notes: {
    title: "FiveM and RedM (getinfo)",
    how: "Checks that the sent challenge returns.",
    traps: [
      "The doctor tells them apart only by map, type or name.",
      "Behind a reverse proxy, enter the machine's own address and port.",
    ],
    open: "the game's port.",
  },
};
