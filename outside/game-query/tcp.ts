/** Checks that a game server's TCP port accepts (Aion, Tera): up or down, and nothing about players. */
import { answerWithoutFigures, type QueryResult, type QueryTarget } from "./answer.ts";
import { exchangeOverTcp, type Reading } from "./tcp-exchange.ts";

/**
 * What proves that the right thing listens: that it accepts, that it speaks first (Aion), or that it speaks first
 * with these bytes, in hexadecimal (Tera: "01000000").
 */
export type TcpExpectation = "connect" | "server_first" | { prefixHex: string };

/** Connects and waits for what `expect` asks; sends nothing, never rejects. `deadlineMs` covers all, 2,000 by default. */
export function checkTcp(
  target: QueryTarget,
  options: { expect: TcpExpectation; deadlineMs?: number },
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
