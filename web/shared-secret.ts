// Ensures that all web processes of a site use one secret: each shows a check of its own in its connection name, and a
// starting process compares it with the running ones.
import { createHmac } from "node:crypto";
import { ConfigError } from "#config";
import type { Sql } from "#db/sql.ts";

/** Names a web process's database connections. The check reveals nothing about a secret of 256 bits; different ones differ. */
export const nameWithCheck = (secret: string): string =>
  `spawnpoint-web #${createHmac("sha256", secret).update("is this the secret of this site?").digest("hex").slice(0, 12)}`;

/**
 * Refuses to start with a second secret: codes, known devices and second factors would be valid on some machines and fail
 * on others. Of two processes that start together the first one stays. To change the secret, stop all processes first.
 * @param sql a pool whose connections carry `nameWithCheck(secret)`
 * @throws {ConfigError}
 */
export async function refuseOtherSecret(sql: Sql, secret: string): Promise<void> {
  const [other] = await sql<{ client: string | null }[]>`
    SELECT host(o.client_addr) AS client FROM pg_stat_activity o
    JOIN pg_stat_activity own ON own.pid = pg_backend_pid()
    WHERE o.datname = current_database() AND o.usename = current_user
      AND o.application_name LIKE 'spawnpoint-web #%' AND o.application_name <> ${nameWithCheck(secret)}
      AND (o.backend_start, o.pid) < (own.backend_start, own.pid)
    ORDER BY o.backend_start LIMIT 1`;
  if (!other) return;
  throw new ConfigError(
    `AUTH_SECRET must be the same on all machines of a site; another web process${other.client ? ` (its database connection comes from ${other.client})` : ""} uses a different one. A machine without AUTH_SECRET made one in DATA_DIR/secrets/auth: set it everywhere. To change it, stop all web processes first.`,
  );
}
