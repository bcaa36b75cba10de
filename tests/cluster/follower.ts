/** A browser that follows the live stream as ours do: it comes back after a loss, after a farewell, and after a long silence. */
import type { Door, Visitor } from "./visitor.ts";

/** As app/live/live-stream.ts has them. */
const RECONNECT_S = [1, 2, 5, 10];
const SILENCE_MS = 75_000;

type Row = { server_id: number; status: string; user_online: number | null; version: string | null };

export type Follower = {
  rows: Map<number, Row>;
  /** Streams that ended without a farewell. */
  losses(): number;
  farewells(): number;
  isOpen(): boolean;
  stop(): void;
};

export function follow(visitor: Visitor, door: Door): Follower {
  const rows = new Map<number, Row>();
  let losses = 0;
  let inRow = 0;
  let farewells = 0;
  let open = false;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let close = () => {};

  function join(): void {
    let rest = "";
    let left = false;
    const stream = visitor.stream(door, (text) => {
      open = true;
      inRow = 0;
      watch();
      const events = (rest + text).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const type = /^event: (\w+)$/m.exec(event)?.[1];
        const data = /^data: (.*)$/m.exec(event)?.[1] ?? "";
        if (type === "bye") {
          farewells += 1;
          again(Number(data));
        } else if (type === "snapshot" || type === "delta") {
          if (type === "snapshot") rows.clear();
          for (const row of JSON.parse(data).rows as Row[]) rows.set(row.server_id, row);
        }
      }
    });
    const lost = () => {
      if (left || stopped) return;
      losses += 1;
      const pause = RECONNECT_S[Math.min(inRow, RECONNECT_S.length - 1)] ?? 10;
      inRow += 1;
      again(pause * 1000 * (0.75 + Math.random() / 2));
    };
    function again(pauseMs: number): void {
      if (left) return;
      left = true;
      open = false;
      stream.close();
      clearTimeout(timer);
      timer = setTimeout(join, pauseMs);
    }
    function watch(): void {
      clearTimeout(timer);
      timer = setTimeout(lost, SILENCE_MS);
    }
    watch();
    void stream.ended.then(lost);
    close = () => {
      left = true;
      stream.close();
    };
  }

  join();
  return {
    rows,
    losses: () => losses,
    farewells: () => farewells,
    isOpen: () => open,
    stop() {
      stopped = true;
      clearTimeout(timer);
      close();
    },
  };
}
