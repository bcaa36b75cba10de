/** A real Minecraft server and real players (minecraft-protocol), for tests that need somebody to join. */
import type { EventEmitter } from "node:events";
import { once } from "node:events";
import { createRequire } from "node:module";
import type { Server, Socket } from "node:net";

const usualVersion = "1.20.1";
const joinsWithinMs = 5000;

// The package's own types reach for a dozen others; these are the few parts in use.
type Visitor = { id: number; socket: Socket; write(packet: string, data: object): void };
type GameServer = EventEmitter & { clients: Record<string, Visitor>; socketServer: Server };
type GameClient = EventEmitter & { socket: Socket; end(reason: string): void };
type MinecraftProtocol = {
  createServer(options: object): GameServer;
  createClient(options: object): GameClient;
};
type MinecraftData = (version: string) => { loginPacket?: object };

/** What the first packet of a game says in versions before 1.16, which the package has no example of. */
const earlyLogin = { levelType: "default", dimension: 0, difficulty: 2 };

const require = createRequire(import.meta.url);

/**
 * Starts a Minecraft server on 127.0.0.1 that lets anybody in without an account; `port` 0 or none takes a free one.
 * `kill` ends it as a crash does: every connection breaks at once, and the port is free again afterwards. `hang` leaves who comes
 * without a word, as a program does that stands still, until `wake`.
 */
export async function startMinecraftGameServer(options: {
  port?: number;
  maxPlayers: number;
  version?: string;
}): Promise<{ port: number; hang(): void; wake(): void; kill(): Promise<void> }> {
  const minecraft = require("minecraft-protocol") as MinecraftProtocol;
  const { version = usualVersion } = options;
  const { loginPacket = earlyLogin } = (require("minecraft-data") as MinecraftData)(version);
  const server = minecraft.createServer({
    host: "127.0.0.1",
    port: options.port ?? 0,
    maxPlayers: options.maxPlayers,
    motd: "A real server",
    version,
    "online-mode": false,
  });
  const connections = new Set<Socket>();
  const remember = (socket: Socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket));
  };
  const serving = server.socketServer.listeners("connection") as ((socket: Socket) => void)[];
  server.socketServer.on("connection", remember);
  server.on("connection", (visitor: EventEmitter) => visitor.on("error", () => {}));
  server.on("playerJoin", (player: Visitor) => {
    player.write("login", {
      ...loginPacket,
      entityId: player.id,
      isHardcore: false,
      gameMode: 0,
      previousGameMode: 1,
      hashedSeed: [0, 0],
      maxPlayers: options.maxPlayers,
      viewDistance: 2,
      reducedDebugInfo: false,
      enableRespawnScreen: true,
      isDebug: false,
      isFlat: false,
    });
  });
  await once(server, "listening");
  server.on("error", () => {});
  const address = server.socketServer.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    hang() {
      for (const serve of serving) server.socketServer.off("connection", serve);
    },
    wake() {
      for (const serve of serving) server.socketServer.on("connection", serve);
    },
    async kill() {
      if (!server.socketServer.listening) return;
      const closed = once(server.socketServer, "close");
      server.socketServer.close();
      for (const connection of connections) connection.resetAndDestroy();
      await closed;
    },
  };
}

/** Joins the server on 127.0.0.1 at `port` as a real client, and returns once it is in the game; rejects when turned away, or after 5 s. */
export async function joinMinecraft(options: {
  port: number;
  username: string;
  version?: string;
}): Promise<{ leave(): Promise<void> }> {
  const minecraft = require("minecraft-protocol") as MinecraftProtocol;
  const { version = usualVersion } = options;
  const client = minecraft.createClient({
    host: "127.0.0.1",
    port: options.port,
    username: options.username,
    auth: "offline",
    version,
  });
  const turnedAway = new AbortController();
  client.once("disconnect", (packet: { reason: string }) =>
    turnedAway.abort(new Error(`Turned away: ${packet.reason}`)),
  );
  try {
    const signal = AbortSignal.any([turnedAway.signal, AbortSignal.timeout(joinsWithinMs)]);
    await once(client, "login", { signal });
  } catch (error) {
    client.on("error", () => {});
    client.end("gave up");
    throw turnedAway.signal.aborted ? turnedAway.signal.reason : error;
  }
  // A killed server breaks the connection; that is what such a test wants.
  client.on("error", () => {});
  return {
    async leave() {
      if (client.socket.destroyed) return;
      // Not once(): it rejects when the connection breaks instead, which is as good a goodbye.
      const gone = new Promise((resolve) => client.socket.once("close", resolve));
      client.end("left");
      await gone;
    },
  };
}
