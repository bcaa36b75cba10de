/** Mock Terraria server with TShock's REST interface, limited to its status. */
import { listenOverHttp } from "./http-server.ts";
import type { TcpListener } from "./tcp-listener.ts";

type Shown = { name: string; world: string; version: string; players: number; maxPlayers: number };

/** Starts it on `port` (any free one). With a `token`, answers only clients that send it. */
export function startTerrariaServer(options: {
  port?: number;
  token?: string | undefined;
  info: () => Shown;
}): Promise<TcpListener> {
  const { port = 0, token, info } = options;
  return listenOverHttp({ port }, ({ method, url }) => {
    if (method !== "GET" || url.pathname !== "/v2/server/status") return { status: 404, json: { status: "404" } };
    if (token !== undefined && url.searchParams.get("token") !== token) {
      return {
        status: 401,
        json: { status: "401", error: "Not authorized. The specified API endpoint requires a token." },
      };
    }
    const { name, world, version, players, maxPlayers } = info();
    return {
      status: 200,
      json: {
        status: "200",
        name,
        serverversion: version,
        tshockversion: "5.2.0.0",
        port: 7777,
        playercount: players,
        maxplayers: maxPlayers,
        world,
        uptime: "0.01:02:03",
        serverpassword: false,
      },
    };
  });
}
