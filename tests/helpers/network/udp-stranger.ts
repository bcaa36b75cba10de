/** A UDP server on loopback that does to each question what a test says: lie, flood, stammer or fall silent. */
import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import type { TestContext } from "node:test";

/** Answers the question's sender, from the port that was asked. */
export type Reply = (packet: Buffer) => void;
type OnQuestion = (reply: Reply, question: Buffer, from: RemoteInfo) => void;

/** Listens at any free port of `host` until the test is over. */
export async function startUdpStranger(
  context: TestContext,
  onQuestion: OnQuestion,
  host = "127.0.0.1",
): Promise<{ address: string; port: number }> {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  let open = true;
  socket.on("message", (question, from) => {
    const reply: Reply = (packet) => {
      if (open) socket.send(packet, from.port, from.address, () => {});
    };
    onQuestion(reply, question, from);
  });
  socket.bind(0, host);
  await once(socket, "listening");
  context.after(() => {
    open = false;
    socket.close();
  });
  return { address: host, port: socket.address().port };
}
