/** A wire between two ends that a test can slow, cut in part or whole, and mend; it remembers when somebody came. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type Wire = {
  port: number;
  /** When each connection came, in ms of the steady clock. */
  arrivals: number[];
  /** What every piece takes in each direction from now on. */
  delayMs: number;
  /** How many connections are open. */
  count(): number;
  /** Breaks each open connection with this probability (0 to 1), and says how many it were. */
  cutSome(share: number): number;
  /** Breaks all connections and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
};

/** Starts it before a TCP port of this machine or a socket in the file system. */
export async function startWire(target: { port: number } | { path: string }): Promise<Wire> {
  const pairs = new Set<[Socket, Socket]>();
  let whole = true;
  const server = createServer({ noDelay: true }, (near) => {
    if (!whole) return void near.resetAndDestroy();
    wire.arrivals.push(performance.now());
    const far = connect(target);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (bytes) => {
        // Timers of one length fire in the order in which they were set.
        if (wire.delayMs > 0) setTimeout(() => to.write(bytes), wire.delayMs);
        else if (!to.write(bytes)) from.pause();
      });
      to.on("drain", () => from.resume());
      from.on("error", () => {});
      from.on("close", () => {
        if (to.destroyed) pairs.delete(pair);
        else if (wire.delayMs > 0) setTimeout(() => to.destroy(), wire.delayMs + 1).unref();
        else to.end();
      });
    }
  });
  const breakOff = (pair: [Socket, Socket]) => {
    pairs.delete(pair);
    // The far end may be a socket of the file system, which knows no reset.
    pair[0].resetAndDestroy();
    pair[1].destroy();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const wire: Wire = {
    port: (server.address() as AddressInfo).port,
    arrivals: [],
    delayMs: 0,
    count: () => [...pairs].filter((pair) => pair.every((socket) => !socket.destroyed)).length,
    cutSome(share) {
      const chosen = [...pairs].filter(() => Math.random() < share);
      for (const pair of chosen) breakOff(pair);
      return chosen.length;
    },
    cut() {
      whole = false;
      for (const pair of pairs) breakOff(pair);
    },
    mend() {
      whole = true;
    },
    async close() {
      wire.cut();
      server.close();
      await once(server, "close");
    },
  };
  return wire;
}

/** A wire before the database at `databaseUrl`, and the address of its near end. */
export async function startDatabaseWire(databaseUrl: string): Promise<{ wire: Wire; url: string }> {
  const target = new URL(databaseUrl);
  const folder = target.searchParams.get("host");
  const port = Number(target.port || 5432);
  const wire = await startWire(folder === null ? { port } : { path: `${folder}/.s.PGSQL.${port}` });
  target.searchParams.delete("host");
  target.hostname = "127.0.0.1";
  target.port = String(wire.port);
  return { wire, url: target.href };
}
