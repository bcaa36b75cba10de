/** A program: asks for a page over and over, from a process of its own, until it is told to stop. */
import autocannon from "autocannon";

export type LoadOrder = { url: string; headers: Record<string, string>; connections: number };

function run(): void {
  let running: ReturnType<typeof autocannon> | null = null;
  process.on("message", (order: LoadOrder | "stop") => {
    if (order === "stop") {
      (running as unknown as { stop(): void } | null)?.stop();
      return;
    }
    running = autocannon({ ...order, duration: 3600 });
    running.then((result) =>
      process.send?.({
        done: true,
        pages: result["2xx"],
        others: result.non2xx + result.errors,
        seconds: result.duration,
      }),
    );
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ ready: true });
}

if (import.meta.main) run();
