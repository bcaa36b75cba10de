/** A program: one attacker with many connections, from one address or many, each asking again as soon as it was answered, until told to stop. */
import { connect, type Socket } from "node:net";

/**
 * `forwarded`: the addresses that the connections claim to come from, each as X-Forwarded-For of its requests, in turn.
 * `cookies` take turns, each for a tenth of a second; "{n}" in one is another text at each request.
 */
export type FloodOrder = {
  port: number;
  path: string;
  localAddress: string;
  connections: number;
  forwarded?: string[];
  cookies?: string[];
};
/** How many answers came by then, by their status; `byCookie`: those with 200 to what was asked with each of the cookies. */
export type FloodTold = { statuses: { [status: string]: number }; byCookie: number[]; seconds: number };

/** No divisor of a second: what a site does once a second would always meet the same cookie's turn. */
const TURN_MS = 97;

function flood(order: FloodOrder): () => FloodTold {
  const statuses: FloodTold["statuses"] = {};
  const began = performance.now();
  const cookies = order.cookies ?? [];
  const byCookie = cookies.map(() => 0);
  let asked = 0;
  let turn = 0;
  const turning = setInterval(() => {
    turn = (turn + 1) % Math.max(cookies.length, 1);
  }, TURN_MS);
  let stopped = false;
  const sockets = new Set<Socket>();

  function ask(socket: Socket, from: string | undefined) {
    asked += 1;
    const text = cookies[turn]?.replaceAll("{n}", asked.toString(36).padStart(8, "A"));
    const cookie = text ? `Cookie: ${text}\r\n` : "";
    const origin = from ? `X-Forwarded-For: ${from}\r\n` : "";
    const head = `GET ${order.path} HTTP/1.1\r\nHost: 127.0.0.1:${order.port}\r\nAccept: text/html\r\n`;
    socket.write(`${head}${origin}${cookie}\r\n`);
  }
  function open(from: string | undefined) {
    const socket = connect({ port: order.port, host: "127.0.0.1", localAddress: order.localAddress, noDelay: true });
    sockets.add(socket);
    let head = "";
    let left = 0;
    let askedWith = 0;
    const askNext = () => {
      askedWith = turn;
      ask(socket, from);
    };
    socket.on("connect", askNext);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      if (!stopped) setTimeout(open, 50, from);
    });
    socket.on("data", (bytes) => {
      let rest = bytes;
      if (left === 0) {
        head += bytes.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end === -1) return;
        const status = head.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === "200") byCookie[askedWith] = (byCookie[askedWith] ?? 0) + 1;
        left = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
        rest = Buffer.from(head.slice(end + 4), "latin1");
        head = "";
      }
      left -= rest.length;
      if (left <= 0) {
        left = 0;
        askNext();
      }
    });
  }
  for (let count = 0; count < order.connections; count += 1) open(order.forwarded?.[count % order.forwarded.length]);
  return () => {
    stopped = true;
    clearInterval(turning);
    for (const socket of sockets) socket.destroy();
    return { statuses, byCookie, seconds: (performance.now() - began) / 1000 };
  };
}

if (import.meta.main) {
  let stop: () => FloodTold = () => ({ statuses: {}, byCookie: [], seconds: 0 });
  process.on("message", (order: FloodOrder | "stop") => {
    if (order === "stop") process.send?.(stop());
    else stop = flood(order);
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ ready: true });
}
