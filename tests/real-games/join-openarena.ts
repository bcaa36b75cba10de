/** Joins an OpenArena server as its engine, ioquake3, lets people in; they count before they have loaded the map. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { Guest } from "./games.ts";

const OUTSIDE_OF_A_CONNECTION = Buffer.from("ffffffff", "hex");
const PROTOCOL = 71;
const GAME = "Quake3Arena";
const OUR_CHALLENGE = 4711;
const QPORT = 1234;
const GUID = "A".repeat(32);
const WITHIN_MS = 5000;
const ALIVE_MS = 250;
/** After so many seconds without a word somebody is gone. */
export const OPENARENA_PATIENCE_S = 3;

/** Comes in as Ada; rejects when the server refuses, or after 5 s. She leaves as who pulls the plug: by saying nothing more. */
export async function joinOpenarena(port: number): Promise<Guest> {
  const socket = createSocket("udp4");
  // It may be killed before this leaves.
  socket.on("error", () => {});
  socket.connect(port, "127.0.0.1");
  await once(socket, "connect");
  const signal = AbortSignal.timeout(WITHIN_MS);
  const ask = async (words: string, answer: string): Promise<string[]> => {
    socket.send(Buffer.concat([OUTSIDE_OF_A_CONNECTION, Buffer.from(words)]));
    for (;;) {
      const [heard] = (await once(socket, "message", { signal })) as [Buffer];
      if (!heard.subarray(0, 4).equals(OUTSIDE_OF_A_CONNECTION)) continue;
      const said = heard.toString("latin1", 4);
      if (said.startsWith("print")) throw new Error(`It refuses: ${said}`);
      if (said.startsWith(answer)) return said.split(/\s/);
    }
  };
  const [, challenge] = await ask(`getchallenge ${OUR_CHALLENGE} ${GAME}`, "challengeResponse");
  const who = { protocol: PROTOCOL, qport: QPORT, challenge, name: "Ada", cl_guid: GUID };
  const info = Object.entries(who).map(([name, value]) => `\\${name}\\${value}`);
  // Players' programs write this word small, and pack what follows; in capitals it is taken as it stands.
  await ask(`CONNECT "${info.join("")}"`, "connectResponse");

  let sent = 0;
  const alive = setInterval(() => {
    sent += 1;
    const words = Buffer.alloc(4 + 2);
    words.writeUInt32LE(sent, 0);
    words.writeUInt16LE(QPORT, 4);
    socket.send(words);
  }, ALIVE_MS);
  return {
    async leave() {
      clearInterval(alive);
      socket.close();
    },
  };
}
