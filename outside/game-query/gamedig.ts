/** Games of the long tail, each by its name on the allow-list; asked through gamedig's own process. */
import { findGameType, guessGameTypes, queryPortsOf } from "../game-types.ts";
import { queryGamedig } from "../gamedig-process.ts";
import type { Adapter } from "./adapter.ts";

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
};
