/** Mock web server of a Hytale server with the plugin Nitrado:Query; only its short part is public. */
import { listenOverHttp } from "./http-server.ts";
import type { TcpListener } from "./tcp-listener.ts";

type Shown = { name: string; version: string; players: number; maxPlayers: number };

/** Starts it on `port` (any free one), with a self-signed certificate unless `withoutTls`. */
export function startHytaleServer(options: {
  port?: number;
  withoutTls?: boolean | undefined;
  info: () => Shown;
}): Promise<TcpListener> {
  const { port = 0, withoutTls = false, info } = options;
  return listenOverHttp({ port, encrypted: !withoutTls }, ({ method, url }) => {
    if (method !== "GET" || url.pathname !== "/Nitrado/Query") return { status: 404 };
    const { name, version, players, maxPlayers } = info();
    return {
      status: 200,
      json: { Basic: { Name: name, Version: version, MaxPlayers: maxPlayers, CurrentPlayers: players } },
    };
  });
}
