// A database that accepts connections and closes them at once, as a proxy does whose Postgres is gone. The driver would try
// again without a pause, some hundred times a second, and never tell the statement that waits (postgres 3.4.9, `closed` of
// src/connection.js). Its option `socket` (in no type, but in its `parseOptions`) lets us open the connections.
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** What the driver hands over: one host (see `readDatabaseAddress`), or the path of a socket in the file system. */
type Target = { host: string[]; port: number[]; path: string | false };

/** However connections end, no more than so many new ones are opened in a second, after as many at once as a pool has. */
const MOST_PER_S = 5;
/** With this Postgres ends the start of a connection: ReadyForQuery, outside of a transaction (protocol 3.0). */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** Opens the connections of a pool of `max`, for the driver's option `socket`. */
export function createSockets(max: number): (target: Target) => Promise<Socket> {
  // The driver listens on a connection of its own, beside the pool.
  const most = max + 1;
  let spare = most;
  let countedAt = performance.now();

  return async ({ host, port, path }) => {
    const now = performance.now();
    spare = Math.min(most, spare + ((now - countedAt) / 1000) * MOST_PER_S) - 1;
    countedAt = now;
    if (spare < 0) await pause((-spare / MOST_PER_S) * 1000);
    const socket = path ? connect(path) : connect({ host: host[0] ?? "localhost", port: port[0] ?? 5432 });
    // The driver names it to TLS.
    if (!path) Object.assign(socket, { host: host[0], port: port[0] });
    failWhenClosedEarly(socket);
    return socket;
  };
}

/** An end before the start is over becomes an error, which the driver tells and after which it pauses, as where nobody listens. */
function failWhenClosedEarly(socket: Socket) {
  const onEnd = () => {
    if (socket.writableEnded) return;
    const error = new Error("the database closed the connection at once");
    socket.destroy(Object.assign(error, { code: "CONNECTION_CLOSED" }));
  };
  const onData = (bytes: Buffer) => {
    if (!bytes.subarray(-READY.length).equals(READY)) return;
    socket.off("data", onData);
    socket.off("end", onEnd);
  };
  socket.on("data", onData);
  socket.prependListener("end", onEnd);
}
