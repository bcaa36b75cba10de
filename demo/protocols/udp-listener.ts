/** UDP listener on loopback: passes each packet to a handler, and closes cleanly. */
import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";

export type UdpListener = { port: number; close(): Promise<void> };

/** Listens on `host` (127.0.0.1) and `port` (any free one); an answer is one or more packets; null: none. Rejects if in use. */
export async function listenOverUdp(
  place: { host?: string | undefined; port?: number | undefined },
  answer: (question: Buffer, from: RemoteInfo) => Buffer | readonly Buffer[] | null,
): Promise<UdpListener> {
  const host = place.host ?? "127.0.0.1";
  const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
  socket.on("message", (question, from) => {
    const reply = answer(question, from);
    const packets = reply === null ? [] : Buffer.isBuffer(reply) ? [reply] : reply;
    for (const packet of packets) socket.send(packet, from.port, from.address, () => {});
  });
  socket.bind(place.port ?? 0, host);
  await once(socket, "listening");
  socket.on("error", () => {});
  let closing: Promise<void> | undefined;
  return {
    port: socket.address().port,
    close() {
      closing ??= new Promise((resolve) => socket.close(() => resolve()));
      return closing;
    },
  };
}
