/** Mock TeamSpeak 3 server, limited to what ServerQuery shows guests: lines over TCP. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";

/** Facts that its one virtual server reports; `clients` are client names. */
export type TeamspeakInfo = {
  name: string;
  clients: string[];
  maxClients: number;
  version: string;
  passwordProtected?: boolean;
  /** Rights of a guest; default: all. */
  guestsSee?: "all" | "nothing";
};

const VOICE_PORT = 9987;
const WELCOME = 'Welcome to the TeamSpeak 3 ServerQuery interface, type "help" for a list of commands.';
const longestLine = 1024;

/**
 * Starts its ServerQuery on `host` (127.0.0.1) and `port` (any free one) for the virtual server at `voicePort` (9987 by default).
 * `info` is called for each query. Rejects if the port is in use.
 */
export async function startTeamspeakServer(options: {
  host?: string;
  port?: number;
  voicePort?: number;
  info: () => TeamspeakInfo;
}): Promise<{ port: number; close(): Promise<void> }> {
  const visitors = new Set<Socket>();
  const server = createServer((visitor) => {
    visitors.add(visitor);
    visitor.on("error", () => {}).on("close", () => visitors.delete(visitor));
    visitor.write(`TS3\n\r${WELCOME}\n\r`);
    let asked = "";
    let isChosen = false;
    const answer = (command: string): string => {
      const info = options.info();
      if (info.guestsSee === "nothing" && command !== "quit")
        return "error id=2568 msg=insufficient\\sclient\\spermissions";
      if (command.startsWith("use ")) {
        isChosen = command === `use port=${options.voicePort ?? VOICE_PORT}`;
        return isChosen ? ok() : "error id=1024 msg=invalid\\sserverID";
      }
      if (!isChosen && command !== "quit") return "error id=1024 msg=invalid\\sserverID";
      if (command === "serverinfo") return ok(encodeInfo(info, visitors.size));
      if (command === "clientlist") return ok(encodeClients(info.clients));
      if (command.startsWith("channellist"))
        return ok("cid=1 pid=0 channel_order=0 channel_name=Lobby total_clients=0");
      return command === "quit" ? ok() : "error id=256 msg=command\\snot\\sfound";
    };
    visitor.on("data", (bytes) => {
      asked += bytes.toString();
      const lines = asked.split("\n");
      asked = (lines.pop() ?? "").slice(0, longestLine);
      for (const line of lines) {
        visitor.write(`${answer(line.trim())}\n\r`);
        if (line.trim() === "quit") visitor.end();
      }
    });
  });
  server.listen(options.port ?? 0, options.host ?? "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  let closing: Promise<void> | undefined;
  return {
    port,
    close() {
      closing ??= new Promise((resolve) => server.close(() => resolve()));
      for (const visitor of visitors) visitor.destroy();
      return closing;
    },
  };
}

const ok = (line?: string): string => `${line === undefined ? "" : `${line}\n\r`}error id=0 msg=ok`;

const SIGNS: Record<string, string> = { "\\": "\\\\", "/": "\\/", " ": "\\s", "|": "\\p", "\n": "\\n", "\r": "\\r" };
const escaped = (text: string): string => text.replace(/[\\/ |\n\r]/g, (sign) => SIGNS[sign] ?? "");

/** The querying client is among its clients, and counted separately. */
function encodeInfo({ name, clients, maxClients, version, passwordProtected }: TeamspeakInfo, asking: number): string {
  const fields = {
    unique_identifier: "zwmNYm1NskbvcERTUhzU94AGMlc=",
    name: escaped(name),
    welcomemessage: escaped("Welcome | virtualserver_clientsonline=999"),
    platform: "Linux",
    version: escaped(`${version} [Build: 1655727713]`),
    maxclients: maxClients,
    clientsonline: clients.length + asking,
    channelsonline: 1,
    flag_password: passwordProtected ? 1 : 0,
    queryclientsonline: asking,
    port: VOICE_PORT,
    status: "online",
  };
  return Object.entries(fields)
    .map(([field, value]) => `virtualserver_${field}=${value}`)
    .join(" ");
}

const encodeClients = (names: string[]): string =>
  [...names.map((name) => [name, 0] as const), ["serveradmin", 1] as const]
    .map(([name, type], place) => `clid=${place + 1} cid=1 client_nickname=${escaped(name)} client_type=${type}`)
    .join("|");
