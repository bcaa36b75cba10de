/** A pretend Mumble server: a game of the long tail that nobody finds out by itself at an unusual port. */
import { createSocket } from "node:dgram";
import { once } from "node:events";

/** Answers Mumble's ping over UDP: 2 of 25 people, version 1.5.7. `port` 0 takes a free one. */
export async function startMumble(host: string, port: number): Promise<{ port: number; close(): void }> {
  const socket = createSocket("udp4").bind(port, host);
  await once(socket, "listening");
  socket.on("message", (question, from) => {
    if (question.length !== 12) return;
    const figures = Buffer.from([0, 0, 0, 2, 0, 0, 0, 25, 0, 0, 0, 0]);
    socket.send(Buffer.concat([Buffer.from([0, 1, 5, 7]), question.subarray(4), figures]), from.port, from.address);
  });
  return { port: socket.address().port, close: () => void socket.close() };
}
