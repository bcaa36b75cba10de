/** Browsers in processes of their own: more than one process may have descriptors for. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { openStreamReaders, type StreamReaders } from "./stream-readers.ts";

type Order = { open: { port: number; count: number; path: string } } | { expect: string } | "close";

export type ReaderProcesses = {
  count: number;
  /**
   * Runs `change` and waits until the text has arrived everywhere (or 20 s are over).
   * @returns at how many browsers it did
   */
  untilAll(text: string, change: () => unknown): Promise<number>;
  close(): Promise<void>;
};

/** Opens so many streams at each of these ports, a process for each, and settles when all have their first event. */
export async function openReaderProcesses(
  ports: readonly number[],
  countOfEach: number,
  path: string,
): Promise<ReaderProcesses> {
  const children = await Promise.all(ports.map(() => start()));
  const ask = (child: ChildProcess, order: Order): Promise<unknown> => {
    child.send(order);
    return answerOf(child);
  };
  await Promise.all(
    children.map((child, n) => ask(child, { open: { port: ports[n] ?? 0, count: countOfEach, path } })),
  );
  return {
    count: ports.length * countOfEach,
    async untilAll(text, change) {
      await Promise.all(children.map((child) => ask(child, { expect: text })));
      const arrived = Promise.all(children.map(answerOf));
      await change();
      return (await arrived).reduce<number>((sum, count) => sum + Number(count), 0);
    },
    async close() {
      await Promise.all(children.map((child) => ask(child, "close")));
      for (const child of children) child.disconnect();
    },
  };
}

async function start(): Promise<ChildProcess> {
  const child = fork(import.meta.filename);
  await answerOf(child);
  return child;
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`a process of browsers ended with code ${code}`);
  });
  ended.catch(() => {});
  const [answer] = await Promise.race([once(child, "message"), ended]);
  return answer;
}

/** In the process of the browsers. */
function read(): void {
  let readers: StreamReaders | null = null;
  const tell = (answer: unknown) => process.send?.(answer);
  const obey = async (order: Order) => {
    if (order === "close") {
      await readers?.close();
      tell("closed");
    } else if ("open" in order) {
      const { port, count, path } = order.open;
      readers = await openStreamReaders(port, count, { path });
      tell("open");
    } else {
      const arrived = await readers?.untilAll(order.expect, () => tell("waiting"));
      tell(arrived?.length ?? 0);
    }
  };
  process.on("message", (order: Order) => void obey(order));
  process.on("disconnect", () => process.exit());
  tell("ready");
}

if (import.meta.main) read();
