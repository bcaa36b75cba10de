// Reads a server's certificate, within a time limit.
import { isIP } from "node:net";
import { connect } from "node:tls";

/** `refused`: why browsers would reject it; null: they accept it. */
export type Certificate = { ends_at: Date; refused: string | null };

/** Rejects if no server answers within `limitMs`, or it does not speak TLS. */
export function askForCertificate(host: string, port: number, limitMs: number): Promise<Certificate> {
  return new Promise((resolve, reject) => {
    const servername = isIP(host) ? undefined : host;
    const limit = setTimeout(() => socket.destroy(new Error("no answer")), limitMs);
    const socket = connect({ host, port, servername, rejectUnauthorized: false }, () => {
      const { valid_to } = socket.getPeerCertificate();
      const refused = socket.authorized ? null : String(socket.authorizationError);
      resolve({ ends_at: new Date(valid_to), refused });
      socket.destroy();
    });
    socket.once("error", reject);
    socket.once("close", () => clearTimeout(limit));
  });
}
