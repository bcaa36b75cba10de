/** Polls FiveM and RedM game servers by Quake III's `getinfo`: one packet each way, at the port that players type. */
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
 * Polls `target`; never rejects. Ignores replies without our challenge. `deadlineMs` covers everything, 2,000 by default. Neither
 * uses HTTP nor reads the list of players. `onAbout` receives which of the two games it is, if the reply shows it.
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

/** Reads a reply to a query with this challenge; `more`: it answers another. `game` returns null if it could be either. */
function readInfoResponse(
  packet: Buffer,
  challenge: string,
): { answer: GameAnswer; game: () => string | null } | "more" | "malformed" {
  const fields = readFields(packet);
  if (fields?.get("gamename") !== "CitizenFX") return "malformed";
  if (fields.get("challenge") !== challenge) return "more";
  return { answer: answerOf(fields), game: () => gameOf(fields) };
}

/** Reads the reply's fields, the first of each name: the figures come first, so that a server's name can't replace them. */
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

/** Removes Quake III's colours: ^ and a digit. */
const withoutColours = (text = ""): string | null => cleanText(text.replaceAll(/\^\d/g, ""));

/** Both games use the same server program; only their operators' words, and the frameworks of each, distinguish them. */
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
