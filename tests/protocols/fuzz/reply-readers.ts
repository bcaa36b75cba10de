/** What is fuzzed: for each adapter, replies as game servers give them, and what reads them. */
import {
  countPlayerList,
  readAbout,
  readInfoReply,
  readPlayerNames,
  readRules,
} from "#outside/game-query/a2s-reply.ts";
import { findRuled } from "#outside/game-query/a2s-rules.ts";
import { SplitReplies } from "#outside/game-query/a2s-split.ts";
import { answerWithoutFigures, type GameAnswer } from "#outside/game-query/answer.ts";
import { readSessions } from "#outside/game-query/http/epic.ts";
import { readAnswer as readHytale } from "#outside/game-query/http/hytale.ts";
import { readMetrics } from "#outside/game-query/http/palworld.ts";
import { readStatus as readTerraria } from "#outside/game-query/http/terraria.ts";
import { readStatus as readMinecraft } from "#outside/game-query/minecraft.ts";
import { encodeVarInt, StatusResponseReader } from "#outside/game-query/minecraft-packet.ts";
import { readPeople, readState } from "#outside/game-query/satisfactory.ts";
import { isRecord, parseShallowJson } from "#outside/game-query/shallow-json.ts";
import { readTalk, readInfo as readTeamspeak } from "#outside/game-query/teamspeak.ts";
import { readPong } from "#outside/game-query/udp/bedrock.ts";
import { readInfo as readFactorio } from "#outside/game-query/udp/factorio.ts";
import { MessageParts } from "#outside/game-query/udp/factorio-message.ts";
import { readInfoResponse } from "#outside/game-query/udp/fivem.ts";
import { converse } from "#outside/game-query/udp/teeworlds.ts";
import { cleanAnswer } from "#outside/gamedig-process.ts";
import type { AskedAdapterId } from "#shared/adapters.ts";

/** What was read of one reply: the answer, or null where it was refused; and what else becomes of it. */
export type Read = { answer: GameAnswer | null; texts?: (string | null)[]; counts?: (number | null)[] };

export type ReplyReader = {
  /** As game servers give them: each is read to an answer. */
  golden: readonly Buffer[];
  read(reply: Buffer): Read;
};

const bytes = (latin1: string) => Buffer.from(latin1, "latin1");
const texts = (...values: (string | number)[]) => values.map((value) => `${value}\0`).join("");
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
/** Of a reader that gives an answer, or says in one word or by null that there is none. */
const readAs = (value: object | string | null): Read => ({
  answer: typeof value === "object" && value !== null && "players" in value ? (value as GameAnswer) : null,
});
const readJson = (reply: Buffer) => parseShallowJson(reply.toString(), 8);

const ANSWER_OF_A2S = `${texts("Midgard", "Plains", "valheim", "Valheim")}\0\0\x07\x40\0dl\x01\0`;
const EXTRA_OF_A2S = `\xf1\x98\x0912345678\x69\x87${texts("tv", "g=0.220.5,n=34,cp312,mp400")}\x3c\xa0\x0d\0\0\0\0\0`;
const MINECRAFT = {
  version: { name: "Paper 1.21.4", protocol: 769 },
  players: { online: 5, max: 40, sample: [{ name: "Ada", id: "00000000-0000-0000-0000-000000000000" }] },
  description: { text: "", extra: [{ text: "An§carchy" }, "\n", { text: "since 2011", color: "#ff8800", bold: true }] },
  favicon: `data:image/png;base64,${bytes("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x40\0\0\0\x40\x08\x06").toString("base64")}`,
  modinfo: { type: "FML", modList: [{ modid: "thaumcraft", version: "6.1" }] },
};
const FORGE = {
  ...MINECRAFT,
  description: "§x§1§2§3§4§5§6Forge §lserver\nHome",
  forgeData: {
    mods: [{ modId: "jei", modmarker: "9.5" }],
    // Two mods, the first with a version and a channel.
    d: packed("\0\0\x02\x02\x06create\x030.5\x04main\x011\x01\x01\x04rein"),
  },
};
const EPIC_SESSION = {
  lastUpdated: "2026-11-22T21:00:00.000Z",
  totalPlayers: 3,
  settings: { maxPublicPlayers: 70 },
  publicPlayers: ["0002a1b2c3"],
  attributes: {
    ADDRESS_s: "8.8.8.8",
    ADDRESSBOUND_s: "0.0.0.0:7777",
    CUSTOMSERVERNAME_s: "Mid§gard",
    MAPNAME_s: "TheIsland_WP",
    SERVERPASSWORD_b: true,
    BUILDID_s: "58",
    MINORBUILDID_s: "12",
  },
};
const WITH_DETAILS = { wantsDetails: true, wantsNames: true };
const CHALLENGE = "0a1b2c3d4e5f";
const COOKIE = "\x01\x02\x03\x04\x05\x06\x07\x08";
const TOKEN = Buffer.of(1, 2, 3);
const OURS = Buffer.of(0, 5, 6, 7);

/** As Forge packs bytes into a text: their number in the first two characters, then fifteen bits in each. */
function packed(latin1: string): string {
  let characters = String.fromCharCode(latin1.length & 0x7fff, latin1.length >> 15);
  let waiting = 0;
  let bits = 0;
  for (const byte of bytes(latin1)) {
    waiting |= byte << bits;
    bits += 8;
    if (bits < 15) continue;
    characters += String.fromCharCode(waiting & 0x7fff);
    waiting >>>= 15;
    bits -= 15;
  }
  return characters + String.fromCharCode(waiting);
}

function minecraftPacket(status: unknown): Buffer {
  const text = json(status);
  const packet = Buffer.concat([Buffer.of(0), encodeVarInt(text.length), text]);
  return Buffer.concat([encodeVarInt(packet.length), packet]);
}

/** Of each kind of reply, what becomes of it; of rules, what each game that is known by them makes of them. */
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

/** Null where nothing but "something is there" is read. One that is forgotten does not compile. */
export const REPLY_READERS: Record<AskedAdapterId, ReplyReader | null> = {
  a2s: {
    golden: [
      bytes(`\xff\xff\xff\xffI\x11${ANSWER_OF_A2S}${texts("1.0.0.0")}${EXTRA_OF_A2S}`),
      bytes(`\xff\xff\xff\xffI\x11${ANSWER_OF_A2S.replace("valheim", "rust")}${texts("2533")}`),
      bytes(`\xff\xff\xff\xffD\x02\0${texts("Ada")}12345678\x01\0abcdefgh`),
      bytes(
        `\xff\xff\xff\xffE\x04\0${texts("bat_player_count_s", 7, "bat_max_players_i", 16, "bat_name_s", "A", "NO_s", "1.2")}`,
      ),
      bytes(`\xfe\xff\xff\xff\x07\0\0\0\x01\0\xe0\x04\xff\xff\xff\xffI\x11${ANSWER_OF_A2S}${texts("1.0.0.0")}`),
    ],
    read(packet) {
      if (packet.length < 5) return { answer: null };
      const reply = packet.readUInt32LE(0) === 0xfffffffe ? new SplitReplies().add(packet) : packet;
      return Buffer.isBuffer(reply) ? readA2s(reply) : { answer: null };
    },
  },
  minecraft: {
    // Whole packets, and what stands in them: a packet whose length no longer fits is not looked into.
    golden: [minecraftPacket(MINECRAFT), json(MINECRAFT), json(FORGE)],
    read(reply) {
      if (reply[0] === 0x7b) return readAs(readMinecraft(reply.toString(), WITH_DETAILS));
      const packet = new StatusResponseReader().add(reply);
      return readAs(typeof packet === "string" ? packet : readMinecraft(packet.json, WITH_DETAILS));
    },
  },
  terraria: {
    golden: [
      json({
        status: "200",
        name: "The Cavern",
        serverversion: "v1.4.4.9",
        playercount: 3,
        maxplayers: 8,
        world: "Land",
      }),
    ],
    read: (reply) => readAs(readTerraria(readJson(reply))),
  },
  hytale: {
    golden: [
      json({ Basic: { Name: "Orbis", Version: "2026.01.10", MaxPlayers: 100, CurrentPlayers: 4 } }),
      json({ Server: { Name: "Orbis", MaxPlayers: 90 }, Universe: { CurrentPlayers: 5, DefaultWorld: "zone" } }),
    ],
    read: (reply) => readAs(readHytale(readJson(reply))),
  },
  epic: {
    golden: [
      json({ sessions: [EPIC_SESSION] }),
      json({
        sessions: [{ ...EPIC_SESSION, attributes: { GAMESERVER_PORT_l: 7777, SERVERNAME_s: "S" } }, EPIC_SESSION],
      }),
    ],
    read(reply) {
      const said = readJson(reply);
      const sessions = isRecord(said) && Array.isArray(said.sessions) ? said.sessions : [];
      const at = { address: "8.8.8.8", port: 7777 };
      return readAs(readSessions("ark_survival_ascended", sessions, at) ?? readSessions("squad", sessions, at));
    },
  },
  palworld: {
    golden: [json({ serverfps: 57, currentplayernum: 10, serverframetime: 16.7671, maxplayernum: 32, uptime: 3600 })],
    read: (reply) => readAs(readMetrics(readJson(reply))),
  },
  satisfactory: {
    golden: [
      bytes(`\xd5\xf6\x01\x01${COOKIE}\x03\x7a\x96\x05\0${"\0".repeat(8)}\x01\0\x11\0\x0a\0My Factory\x01`),
      json({ data: { serverGameState: { numConnectedPlayers: 3, playerLimit: 4 } } }),
    ],
    read(reply) {
      if (reply[0] !== 0x7b) return readAs(readState(reply, bytes(COOKIE)));
      return { answer: { ...answerWithoutFigures, ...readPeople(readJson(reply)) } };
    },
  },
  bedrock: {
    golden: [
      "MCPE;Dedicated\\; Server;766;1.21.50;3;10;13253860892328930865;Level;Survival;1;19132;19133;0;",
      "MCEE;Old; and more;81;0.15;7;20",
    ].map((text) =>
      bytes(
        `\x1c${"\0".repeat(16)}\0\xff\xff\0\xfe\xfe\xfe\xfe\xfd\xfd\xfd\xfd\x12\x34\x56\x78\0${String.fromCharCode(text.length)}${text}`,
      ),
    ),
    read: (reply) => readAs(readPong(reply)),
  },
  fivem: {
    golden: [
      bytes(
        `\xff\xff\xff\xffinfoResponse\n\\sv_maxclients\\512\\clients\\217\\challenge\\${CHALLENGE}\\gamename\\CitizenFX\\protocol\\4\\hostname\\^1Los ^5Santos\\gametype\\ESX\\mapname\\San Andreas\\iv\\831412`,
      ),
    ],
    read(reply) {
      const told = readInfoResponse(reply, CHALLENGE);
      return typeof told === "string" ? { answer: null } : { answer: told.answer, texts: [told.game()] };
    },
  },
  teeworlds: {
    golden: [
      bytes(
        `${"\xff".repeat(10)}inf3${texts(3, "0.6.5", "Midgard [47/64]", "ctf5", "CTF", 1, 15, 16, 15, 16)}Tee\0\0${texts(-1, 4, 1)}`,
      ),
      bytes(
        `${"\xff".repeat(10)}iext${texts(0x010203, "0.6.4, 19.1", "DD", "Tutorial", 1, 2, "DDraceNetwork", 0, 60, 126, 70, 128, "")}`,
      ),
      bytes(
        `\x21\0\x05\x06\x07abcd\xff\xff\xff\xffinf3\0${texts("0.7.5", "Midgard", "", "ctf5", "CTF")}\x01\x01\x05\x10\xaf\x01\x80\x02Tee\0\0\x40\x04\0`,
      ),
    ],
    read(reply) {
      const reading = converse(TOKEN, OURS).onPacket(reply);
      return readAs(reading);
    },
  },
  factorio: {
    golden: ["\x11", "\xd1\x02\0\0", "\xd1\x02\x80\0\x01\0\0\0\0"].map((head) =>
      bytes(
        `${head}\x78\x56\x34\x12${"\0".repeat(8)}\x0a[EU] Rails\x02\0\x4d\x4c\x49\x01\0\xff\x03\0\0\0hi!\0\0\x1e\0\0\0\0\0\x02:1\x01\0\x01\x01\x04base\x02\0\x4d\0\0\0\0\x01\x04game\x02\x03Ada\x05Grace\x01`,
      ),
    ),
    read(packet) {
      const message = new MessageParts().add(packet);
      return readAs(typeof message === "string" ? message : readFactorio(message));
    },
  },
  teamspeak: {
    golden: [
      "virtualserver_name=The\\sLounge\\p virtualserver_version=3.13.7\\s[Build:\\s1655727713] virtualserver_maxclients=32 virtualserver_clientsonline=6 virtualserver_queryclientsonline=1 virtualserver_flag_password=1",
      "virtualserver_unique_identifier virtualserver_name=\\xc3\\xa9 virtualserver_clientsonline=2",
    ].map((line) => bytes(`TS3\n\rWelcome\n\rerror id=0 msg=ok\n\r${line}\n\rerror id=0 msg=ok\n\r`)),
    read(reply) {
      const talk = readTalk(reply.toString("latin1"));
      return typeof talk === "string" || !talk.info ? { answer: null } : readAs(readTeamspeak(talk.info));
    },
  },
  gamedig: {
    golden: [
      json({ players: 7, bots: 2, max: "32", version: "1.4", name: "Altis §cLife", map: "Altis", password: true }),
    ],
    read(reply) {
      const raw = parseShallowJson(reply.toString(), 8);
      return { answer: isRecord(raw) ? cleanAnswer(raw as Parameters<typeof cleanAnswer>[0]) : null };
    },
  },
  luanti: null,
  tcp: null,
};
