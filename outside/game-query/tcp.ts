/** Checks that a game server's TCP port accepts (Aion, Tera): up or down, without players. */
import type { OptionValues } from "#shared/adapters.ts";
import type { Adapter } from "./adapter.ts";
import { answerWithoutFigures, type QueryResult, type QueryTarget } from "./answer.ts";
import { exchangeOverTcp, type Reading } from "./tcp-exchange.ts";

/** Connects and waits for the bytes in `expect`; sends nothing, never rejects. `deadlineMs` covers all, 2,000 by default. */
export function checkTcp(
  target: QueryTarget,
  options: { expect: OptionValues["greeting"]; deadlineMs?: number },
): Promise<QueryResult> {
  const { expect, deadlineMs = 2000 } = options;
  const prefix =
    typeof expect === "object" ? Buffer.from(expect.prefixHex.replaceAll(" ", ""), "hex") : Buffer.alloc(0);
  let matched = 0;
  const readBytes = (bytes: Buffer): Reading => {
    for (const byte of bytes.subarray(0, prefix.length - matched)) {
      if (byte !== prefix[matched]) return "malformed";
      matched++;
    }
    return matched === prefix.length ? answerWithoutFigures : "more";
  };
  return exchangeOverTcp(target, {
    onConnect: () => (expect === "connect" ? answerWithoutFigures : "more"),
    onBytes: readBytes,
    deadlineMs,
  });
}

const TERA_GREETING = "01000000";

export const tcp: Adapter = {
  query: ({ address, port, options: { expect = "connect" }, deadlineMs }) =>
    checkTcp({ address, port }, { expect, deadlineMs }),
  deadlineMs: 2000,
  transport: "tcp",
  tries: (port) =>
    port === null
      ? []
      : [
          { port, options: { expect: "connect" } },
          { port, options: { expect: "server_first" } },
          { port, options: { expect: { prefixHex: TERA_GREETING } } },
        ],
  game: ({ expect }) => (typeof expect === "object" && expect.prefixHex === TERA_GREETING ? "Tera" : null),
  // An open port reveals nothing about the game; its first bytes do, a little.
  certainty: ({ expect }) => (typeof expect === "object" ? 2 : expect === "server_first" ? 1 : 0),
  replies: null,
  notes: {
    title: "TCP connect",
    how: "Connects and disconnects; optionally expects the server to speak first, or certain bytes.",
    traps: [
      "A heartbeat can add players.",
      "A proxy that accepts every connection looks online: choose a greeting where the game has one.",
    ],
    open: "the port.",
  },
};
