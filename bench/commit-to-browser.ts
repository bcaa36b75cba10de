/**
 * P4: from the statement that changes a row to 5,000 browsers at home, p99, ÷ a bare broadcast of the same bytes to as many: from the
 * order to write to the last browsers. Ours has the commit, the NOTIFY, the reading and the encoding in it; the baseline none.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { BareOrder } from "./instruments/bare-server.ts";
import { createMarks, roundOfChanges } from "./instruments/change-round.ts";
import { measurePairs, rowOfPairs } from "./instruments/pairs.ts";
import type { Row } from "./instruments/row.ts";
import { streamOfPage } from "./instruments/shown-topics.ts";
import { changeOneRow, startBaseline, startSite } from "./instruments/site-process.ts";
import { openStreamReaders } from "./instruments/stream-readers.ts";

const STREAMS = 5_000;

export async function measure(): Promise<Row[]> {
  const site = await startSite();
  const bare = await startBaseline("bare-server.ts");
  const mark = createMarks();
  const { path, servers } = await streamOfPage(site.url, "/");
  const change = (text: string) => changeOneRow(site.database, text, servers[0]);

  const ours = await openStreamReaders(site.port, STREAMS, { path });
  const first = mark();
  const probe = await ours.untilAll(first, () => change(first));
  if (probe.length < STREAMS) throw new Error(`a change reached ${probe.length} of ${STREAMS}`);
  const event = lastEvent(ours.sample(), first);
  const headers = Object.entries(headersOf(ours.sample())).flat();
  bare.child.send({ order: "stream", headers, first: ": welcome\n\n" } satisfies BareOrder);
  await pause(200);
  const baseline = await openStreamReaders(bare.port, STREAMS);

  const roundOurs = () => roundOfChanges(ours, mark, change);
  const roundBare = () =>
    roundOfChanges(baseline, mark, (text) => {
      bare.child.send({ order: "broadcast", text: event.replace(first, text) } satisfies BareOrder);
    });
  try {
    await roundOurs();
    await roundBare();
    const pairs = await measurePairs(roundOurs, roundBare);
    const what = `commit to browser, p99, ${STREAMS} streams, ${event.length} bytes ÷ bare broadcast of the same`;
    return [{ claim: "P4", what, ...rowOfPairs(pairs, "ms"), floor: 1.3, goal: 1.1, better: "less" }];
  } finally {
    await ours.close();
    await baseline.close();
    await bare.stop();
    await site.stop();
  }
}

/** The event with the mark in it, as it was written. */
function lastEvent(sample: string, mark: string): string {
  const at = sample.indexOf(mark);
  const from = sample.lastIndexOf("event: ", at);
  const to = sample.indexOf("\n\n", at);
  if (at === -1 || from === -1 || to === -1) throw new Error("the change's event was not found");
  return sample.slice(from, to + 2);
}

function headersOf(sample: string): Record<string, string> {
  const lines = sample.slice(0, sample.indexOf("\r\n\r\n")).split("\r\n").slice(1);
  const pairs = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(":")),
    line.slice(line.indexOf(":") + 2),
  ]);
  return Object.fromEntries(
    pairs.filter(([name]) => !/^(?:date|connection|keep-alive|transfer-encoding|x-request-id)$/i.test(name)),
  );
}
