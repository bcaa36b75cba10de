/** A pretend game server that speaks first over TCP and then says nothing more, as Aion's and Tera's do. */
import { listenOverTcp, type TcpListener } from "./tcp-listener.ts";

/** Starts a server on `host` (127.0.0.1) and `port` (any free one) that greets with these bytes, in hexadecimal (Tera: "01000000"). */
export function startTcpGreetingServer(options: {
  host?: string;
  port?: number;
  greetingHex: string;
}): Promise<TcpListener> {
  const greeting = Buffer.from(options.greetingHex.replaceAll(" ", ""), "hex");
  return listenOverTcp(options, (visitor) => {
    visitor.write(greeting);
    // What the visitor says is read and dropped, so that its goodbye is noticed.
    visitor.resume();
  });
}
