/** Polls the games of the long tail through gamedig's own process, each by its name on the allow-list. */
import { findGameType, guessGameTypes, queryPortsOf } from "../game-types.ts";
import { cleanAnswer, queryGamedig } from "../gamedig-process.ts";
import type { Adapter } from "./adapter.ts";
import { json, readJson } from "./reply-reader.ts";
import { isRecord } from "./shallow-json.ts";

export const gamedig: Adapter = {
  query: ({ address, port, options, deadlineMs }) =>
    queryGamedig({ address, port }, { type: options.gamedigType ?? "", deadlineMs }),
  deadlineMs: 4000,
  transport: null,
  tries(port, picked) {
    const types = picked?.asked === "gamedig" ? [picked] : port === null ? [] : guessGameTypes(port);
    return types.flatMap((type) =>
      queryPortsOf(type, port).map((guess) => ({ port: guess, options: { gamedigType: type.type } })),
    );
  },
  game: ({ gamedigType }) => findGameType(gamedigType ?? "")?.name ?? null,
  certainty: () => 20,
  replies: {
    golden: [
      json({ players: 7, bots: 2, max: "32", version: "1.4", name: "Altis §cLife", map: "Altis", password: true }),
    ],
    read(reply) {
      const raw = readJson(reply);
      return { answer: isRecord(raw) ? cleanAnswer(raw as Parameters<typeof cleanAnswer>[0]) : null };
    },
  },
  notes: {
    title: "Other queries (gamedig)",
    how: "The library gamedig in a restricted process ([011](decisions/011-gamedig-process.md)).",
    traps: ["IPv4 only: IPv6 addresses aren't queried.", "A maximum of 0 is unknown."],
    open: "the query port, UDP unless the game's manual says TCP.",
  },
};
