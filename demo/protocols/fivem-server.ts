/** Mock FXServer (FiveM, RedM): answers `getinfo` over UDP on the port that players type. */
import { listenOverUdp, type UdpListener } from "./udp-listener.ts";

/** Facts that the server reports; `map` and `gameType` are set by its resources. */
export type FivemInfo = { name: string; players: number; maxPlayers: number; map: string; gameType: string };

const question = "\xff\xff\xff\xffgetinfo ";
const longestChallenge = 128;

/** Starts a server on `host` (127.0.0.1) and `port` (any free one); `info` is called for each query. */
export function startFivemServer(options: {
  host?: string;
  port?: number;
  info: () => FivemInfo;
}): Promise<UdpListener> {
  return listenOverUdp(options, (asked) => {
    const text = asked.toString("latin1");
    if (!text.startsWith(question) || text.length > question.length + longestChallenge) return null;
    const [challenge = ""] = text.slice(question.length).split(/[ \n\0]/);
    return Buffer.concat([Buffer.from("\xff\xff\xff\xff", "latin1"), encodeInfo(options.info(), challenge)]);
  });
}

/** In the order of a real one. Its name may contain colours: ^1 and so on. */
function encodeInfo(info: FivemInfo, challenge: string): Buffer {
  const fields = {
    sv_maxclients: info.maxPlayers,
    clients: info.players,
    challenge,
    gamename: "CitizenFX",
    protocol: 4,
    hostname: info.name,
    gametype: info.gameType,
    mapname: info.map,
    iv: 831_412,
  };
  const shown = Object.entries(fields).map(([key, value]) => `\\${key}\\${String(value).replaceAll("\\", "/")}`);
  return Buffer.from(`infoResponse\n${shown.join("")}`);
}
