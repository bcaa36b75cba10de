/** Mock game server that sends a greeting over TCP and then nothing more, like Aion's and Tera's. */
import { listenOverTcp, type TcpListener } from "./tcp-listener.ts";

/** Starts a server on `host` (127.0.0.1) and `port` (any free one) with this greeting, in hexadecimal (Tera: "01000000"). */
export function startTcpGreetingServer(options: {
  host?: string;
  port?: number;
  greetingHex: string;
}): Promise<TcpListener> {
  const greeting = Buffer.from(options.greetingHex.replaceAll(" ", ""), "hex");
  return listenOverTcp(options, (visitor) => {
    visitor.write(greeting);
    // Drops what the client sends, so that its disconnect is noticed.
    visitor.resume();
  });
}
