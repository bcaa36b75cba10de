/** Polls Steam's games by Valve's query A2S, with corrections for known games. */
import type { AdapterOptions } from "#shared/adapters.ts";
import { queryPortsOf, usualQueryPorts } from "../game-types.ts";
import { queryA2s } from "./a2s-query.ts";
import { type A2sAbout, countPlayerList, readAbout, readInfoReply, readPlayerNames, readRules } from "./a2s-reply.ts";
import { findRuled } from "./a2s-rules.ts";
import { SplitReplies } from "./a2s-split.ts";
import type { About, Adapter } from "./adapter.ts";
import { answerWithoutFigures } from "./answer.ts";
import { bytes, type Read, zeroEnded } from "./reply-reader.ts";

/** The query ports for games without a typed port: Steam's own, Valheim, Project Zomboid. */
const USUAL_PORTS = [27_015, 27_016, 2457, 16_261];

const ANSWER_OF_A2S = `${zeroEnded("Midgard", "Plains", "valheim", "Valheim")}\0\0\x07\x40\0dl\x01\0`;
const EXTRA_OF_A2S = `\xf1\x98\x0912345678\x69\x87${zeroEnded("tv", "g=0.220.5,n=34,cp312,mp400")}\x3c\xa0\x0d\0\0\0\0\0`;

/** Reads each kind of reply; reads rules as each game known by them does. */
function readA2s(reply: Buffer): Read {
  switch (reply[4]) {
    case 0x44: {
      const players = countPlayerList(reply);
      const texts = readPlayerNames(reply);
      return { answer: players === null ? null : { ...answerWithoutFigures, players }, texts };
    }
    case 0x45: {
      const rules = readRules(reply);
      if (!rules) return { answer: null };
      const told = [489_940, 2_646_460].map((appId) => findRuled(appId)?.read(rules));
      return { answer: Object.assign({}, answerWithoutFigures, ...told) };
    }
    default: {
      const about = readAbout(reply);
      const texts = [about?.folder ?? null, about?.game ?? null];
      return { answer: readInfoReply(reply)?.answer ?? null, texts, counts: [about?.gamePort ?? null] };
    }
  }
}

export const a2s: Adapter = {
  query: ({ address, port, options: { countFromPlayerList }, wantsNames, deadlineMs, onAbout }) =>
    queryA2s(
      { address, port },
      {
        countFromPlayerList,
        wantsNames,
        deadlineMs,
        ...(onAbout && { onAbout: (told) => onAbout(readGame(told, port)) }),
      },
    ),
  deadlineMs: 2000,
  transport: "udp",
  tries(port, picked) {
    const ports = new Set(port === null ? USUAL_PORTS : [port, port + 1, ...usualQueryPorts(port)]);
    if (picked?.asked === "a2s") for (const guess of queryPortsOf(picked, port)) ports.add(guess);
    return [...ports].filter((one) => one <= 65_535).map((one) => ({ port: one }));
  },
  game: () => null,
  certainty: () => 30,
  replies: {
    golden: [
      bytes(`\xff\xff\xff\xffI\x11${ANSWER_OF_A2S}${zeroEnded("1.0.0.0")}${EXTRA_OF_A2S}`),
      bytes(`\xff\xff\xff\xffI\x11${ANSWER_OF_A2S.replace("valheim", "rust")}${zeroEnded("2533")}`),
      bytes(`\xff\xff\xff\xffD\x02\0${zeroEnded("Ada")}12345678\x01\0abcdefgh`),
      bytes(
        `\xff\xff\xff\xffE\x04\0${zeroEnded("bat_player_count_s", 7, "bat_max_players_i", 16, "bat_name_s", "A", "NO_s", "1.2")}`,
      ),
      bytes(`\xfe\xff\xff\xff\x07\0\0\0\x01\0\xe0\x04\xff\xff\xff\xffI\x11${ANSWER_OF_A2S}${zeroEnded("1.0.0.0")}`),
    ],
    read(packet) {
      if (packet.length < 5) return { answer: null };
      const reply = packet.readUInt32LE(0) === 0xfffffffe ? new SplitReplies().add(packet) : packet;
      return Buffer.isBuffer(reply) ? readA2s(reply) : { answer: null };
    },
  },
  notes: {
    title: "Steam query (A2S)",
    how: "A2S_INFO, repeated with the challenge. Bots don't count as players.",
    traps: [
      "The query port often differs from the game port; the doctor tries the usual neighbours.",
      "Above 255 slots, figures come from the keywords (`cp312`, `mp400`).",
      "The player list is fetched only for *Count the list of players* and member lists.",
      "Where name and maximum in the reply are wrong, turn on *Trust name and maximum above*.",
    ],
    open: "the query port. Source games don't answer with `host_info_show 0`.",
  },
};

/** Reads the game from a reply of `port`. For Valheim the port that players type is always the one before. */
export function readGame({ folder, game, gamePort, steamAppId }: A2sAbout, port: number): About {
  const isBefore = folder === "valheim" && (gamePort === null || gamePort === port);
  return { game, steamAppId, gamePort: isBefore ? port - 1 : gamePort, options: knownOptions(folder, game) };
}

/** Gets the options for games with known errors in their replies. */
function knownOptions(folder: string | null, game: string | null): AdapterOptions {
  if (/^ark_survival/i.test(folder ?? "")) return { countFromPlayerList: true };
  if (/^the front$/i.test(game ?? "")) return { trustRecord: true };
  return {};
}
