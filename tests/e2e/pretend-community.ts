/** The game servers of a community that plays other games than the demo: five, of four games, at addresses of this machine. */
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";
import { listenOverTcp } from "#demo/protocols/tcp-listener.ts";

export type PretendCommunity = {
  /** Their addresses as an operator has them in a note, one to a line; `password` stands beside the second. */
  note: string;
  password: string;
  /** In the order of the note. `players`: who is on, and how many fit; null: nobody can tell. */
  servers: { name: string; game: string; address: string; players: [number, number] | null }[];
  close(): Promise<void>;
};

const GAMES = {
  cs2: { folder: "csgo", game: "Counter-Strike 2", appId: 730, map: "de_dust2", version: "1.40.5.2" },
  rust: { folder: "rust", game: "Rust", appId: 252490, gamePort: 28015, map: "Procedural Map", version: "2580" },
};

/** Starts them at the ports that such games usually have, on addresses that no other run of this has. */
export async function startPretendCommunity(): Promise<PretendCommunity> {
  const net = `127.${randomInt(1, 255)}.${randomInt(0, 255)}`;
  const closing: (() => Promise<void>)[] = [];
  const password = "nachtwache";

  const startSource = async (about: (typeof GAMES)["cs2"], place: { host: string; port: number }, name: string) => {
    const { close } = await startA2sServer({ ...place, info: () => ({ ...about, name, players: 7, maxPlayers: 24 }) });
    closing.push(close);
  };
  await startSource(GAMES.cs2, { host: `${net}.1`, port: 27015 }, "Nordlicht Retakes");
  await startSource(GAMES.cs2, { host: `${net}.1`, port: 27025 }, "Nordlicht Training");
  // Rust is asked at a port of its own, which nobody types.
  await startSource(GAMES.rust, { host: `${net}.2`, port: 28017 }, "Nordlicht Rust Weekly");
  closing.push((await listenOverTcp({ host: `${net}.3`, port: 7777 }, () => {})).close);
  closing.push(await startBedrock(`${net}.4`, 19132));

  const servers: PretendCommunity["servers"] = [
    { name: "Nordlicht Retakes", game: "Counter-Strike 2", address: `${net}.1:27015`, players: [7, 24] },
    { name: "Nordlicht Training", game: "Counter-Strike 2", address: `${net}.1:27025`, players: [7, 24] },
    { name: "Nordlicht Rust Weekly", game: "Rust", address: `${net}.2:28015`, players: [7, 24] },
    { name: "Unsere Terraria-Welt", game: "Terraria", address: `${net}.3:7777`, players: null },
    { name: "Nordlicht Bedrock", game: "Minecraft: Bedrock Edition", address: `${net}.4:19132`, players: [4, 20] },
  ];
  const [retakes, training, rust, terraria, bedrock] = servers.map(({ address }) => address);
  return {
    note: [
      "# Game servers",
      retakes,
      `connect ${training}; password ${password}`,
      rust,
      `Unsere Terraria-Welt: ${terraria}`,
      `- ${bedrock}`,
    ].join("\n"),
    password,
    servers,
    async close() {
      for (const close of closing) await close();
    },
  };
}

const MAGIC = Buffer.from("00ffff00fefefefefdfdfdfd12345678", "hex");

/** Answers RakNet's unconnected ping as a Bedrock server does (https://minecraft.wiki/w/RakNet#Unconnected_Pong). */
async function startBedrock(host: string, port: number): Promise<() => Promise<void>> {
  const id = Buffer.from("00000000000000aa", "hex");
  const socket = createSocket("udp4");
  socket.on("message", (ping, from) => {
    if (ping[0] !== 0x01 || ping.length < 33 || !ping.subarray(9, 25).equals(MAGIC)) return;
    const said = Buffer.from(`MCPE;Nordlicht Bedrock;766;1.21.50;4;20;170;Inseln;Survival;1;${port};19133;`);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(said.length);
    const pong = Buffer.concat([Buffer.from([0x1c]), ping.subarray(1, 9), id, MAGIC, length, said]);
    socket.send(pong, from.port, from.address, () => {});
  });
  socket.bind(port, host);
  await once(socket, "listening");
  return () => new Promise((resolve) => socket.close(() => resolve()));
}
