/** Mock REST interface of a Palworld server, limited to its metrics. */
import { listenOverHttp } from "./http-server.ts";
import type { TcpListener } from "./tcp-listener.ts";

/** Starts it on `port` (any free one). Requires the password of the user "admin". */
export function startPalworldServer(options: {
  port?: number;
  password: string;
  info: () => { players: number; maxPlayers: number };
}): Promise<TcpListener> {
  const { port = 0, password, info } = options;
  const expected = `Basic ${Buffer.from(`admin:${password}`).toString("base64")}`;
  return listenOverHttp({ port }, ({ method, url, headers }) => {
    if (headers.authorization !== expected) return { status: 401 };
    if (method !== "GET" || url.pathname !== "/v1/api/metrics") return { status: 404 };
    const { players, maxPlayers } = info();
    const figures = { serverfps: 57, serverframetime: 16.7671, uptime: 3600, days: 12 };
    return { status: 200, json: { ...figures, currentplayernum: players, maxplayernum: maxPlayers } };
  });
}
