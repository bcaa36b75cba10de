/** Joins a Mumble server as a person does: its control channel over TLS, as its protocol documentation describes it. */
import { once } from "node:events";
import { connect } from "node:tls";
import type { Guest } from "./games.ts";

const VERSION = 0;
const AUTHENTICATE = 2;
const SERVER_SYNC = 5;
const MESSAGE_HEAD = 6;

const message = (type: number, body: Buffer): Buffer => {
  const head = Buffer.alloc(MESSAGE_HEAD);
  head.writeUInt16BE(type, 0);
  head.writeUInt32BE(body.length, 2);
  return Buffer.concat([head, body]);
};

/** Comes in as Ada, and resolves once the server has let her in; rejects when it hangs up, or after 5 s. */
export async function joinMumble(port: number): Promise<Guest> {
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
  await once(socket, "secureConnect", { signal: AbortSignal.timeout(5000) });
  // Protocol buffers: field 1 of the version is its number (1.3.4), field 1 of the other message the name, field 5 "speaks Opus".
  socket.write(message(VERSION, Buffer.from([0x08, 0x84, 0x86, 0x04])));
  socket.write(
    message(AUTHENTICATE, Buffer.concat([Buffer.from([0x0a, 3]), Buffer.from("Ada"), Buffer.from([0x28, 1])])),
  );
  let heard = Buffer.alloc(0);
  const { promise: isIn, resolve, reject } = Promise.withResolvers<void>();
  socket.on("close", () => reject(new Error("It hung up.")));
  socket.on("error", reject);
  socket.on("data", (bytes: Buffer) => {
    heard = Buffer.concat([heard, bytes]);
    while (heard.length >= MESSAGE_HEAD && heard.length >= MESSAGE_HEAD + heard.readUInt32BE(2)) {
      if (heard.readUInt16BE(0) === SERVER_SYNC) resolve();
      heard = heard.subarray(MESSAGE_HEAD + heard.readUInt32BE(2));
    }
  });
  await isIn;
  return {
    async leave() {
      const gone = once(socket, "close");
      socket.end();
      await gone;
    },
  };
}
