/** Checks whether a Postgres is behind an address with the shortest request of its protocol: may we speak TLS? */
import { connect } from "node:net";
import path from "node:path";
import { readDatabaseAddress } from "./database-address.ts";

/** The SSLRequest of the protocol: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * `tls`, `plain`: a Postgres replied, and offers TLS or not. `closed`: the connection was accepted and closed without a reply, as a
 * balancer without a Postgres does. `stranger`: something else replied. `silent`: no reply. Or the error's code.
 */
export type Knock = { said: "tls" | "plain" | "closed" | "stranger" | "silent" } | { code: string };

/** Sends one request. */
export function knock(databaseUrl: string, withinMs: number): Promise<Knock> {
  const { host = "localhost", port = 5432 } = readDatabaseAddress(databaseUrl);
  return new Promise((resolve) => {
    const socket = host.startsWith("/")
      ? connect({ path: path.join(host, `.s.PGSQL.${port}`) })
      : connect({ host, port });
    const end = (found: Knock) => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(withinMs, () => end(socket.connecting ? { code: "ETIMEDOUT" } : { said: "silent" }));
    socket.on("connect", () => socket.write(SSL_REQUEST));
    socket.on("data", ([first]) =>
      // E: a Postgres (or a pooler) that reports an error.
      end({ said: first === 0x53 ? "tls" : first === 0x4e || first === 0x45 ? "plain" : "stranger" }),
    );
    socket.on("error", (error: NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }) =>
      end({ code: error.code ?? error.errors?.[0]?.code ?? error.message }),
    );
    socket.on("close", () => end({ said: "closed" }));
  });
}
