/** Mock Satisfactory server: lightweight query over UDP, and HTTPS interface on the same port. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type HttpAnswer, type HttpAsked, listenOverHttp } from "./http-server.ts";
import type { TcpListener } from "./tcp-listener.ts";

type Shown = { name: string; version: number; players: number; maxPlayers: number };

const MAGIC = 0xf6d5;
const PLAYING = 3;
const POLL_BYTES = 13;
const HOST = "127.0.0.1";

/** Starts it on `port` (any free one, for both). The HTTPS interface reports players to clients with `token`. */
export async function startSatisfactoryServer(options: {
  port?: number;
  token?: string | undefined;
  info: () => Shown;
}): Promise<TcpListener> {
  const { port = 0, token, info } = options;
  const api = await listenOverHttp({ port, encrypted: true }, (asked) => answerApi(asked, token, info()));
  const socket = createSocket("udp4");
  socket.on("message", (poll, from) => {
    if (poll.length !== POLL_BYTES || poll.readUInt16LE(0) !== MAGIC || poll[2] !== 0) return;
    socket.send(encodeState(poll.subarray(4, 12), info()), from.port, from.address, () => {});
  });
  try {
    socket.bind(api.port, HOST);
    await once(socket, "listening");
  } catch (error) {
    await api.close();
    throw error;
  }
  socket.on("error", () => {});
  return {
    port: api.port,
    async close() {
      socket.close();
      await api.close();
    },
  };
}

function encodeState(cookie: Buffer, { name, version }: Shown): Buffer {
  const text = Buffer.from(name);
  const state = Buffer.alloc(1 + 4 + 8 + 1);
  state[0] = PLAYING;
  state.writeUInt32LE(version, 1);
  // Two parts of its state, each with a number that increases with changes.
  state[13] = 2;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text.length);
  return Buffer.concat([
    Buffer.from([MAGIC & 0xff, MAGIC >> 8, 1, 1]),
    cookie,
    state,
    Buffer.from([0, 17, 0, 3, 5, 0]),
    length,
    text,
    Buffer.from([1]),
  ]);
}

function answerApi({ method, url, headers, body }: HttpAsked, token: string | undefined, shown: Shown): HttpAnswer {
  const asked = typeof body === "object" && body !== null && "function" in body ? body.function : null;
  if (method !== "POST" || url.pathname !== "/api/v1" || asked !== "QueryServerState") return { status: 404 };
  if (token === undefined || headers.authorization !== `Bearer ${token}`) {
    return { status: 401, json: { errorCode: "insufficient_scope" } };
  }
  const { players, maxPlayers } = shown;
  const serverGameState = { activeSessionName: "pretend", numConnectedPlayers: players, playerLimit: maxPlayers };
  return { status: 200, json: { data: { serverGameState } } };
}
