/** Parses DATABASE_URL as libpq does, including the parts that our driver doesn't understand. */
import { readFileSync } from "node:fs";
import { type ConnectionOptions, checkServerIdentity } from "node:tls";
import type pg from "pg";
import { ConfigError } from "#config";

/** How strictly a connection verifies the server: https://www.postgresql.org/docs/current/libpq-ssl.html */
const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;

/** The driver settings that come from an address. */
export type DatabaseAddress = Pick<
  pg.ClientConfig,
  "host" | "port" | "user" | "password" | "database" | "ssl" | "options"
>;

/**
 * Reads `host` (a socket folder), `sslmode`, `sslrootcert` (a file, or `system`), `sslcert` and `sslkey`; any other parameter
 * becomes a session setting. As in libpq, `require` with a root certificate verifies like `verify-ca`. Without `sslmode` the
 * connection is plain, unless a root certificate is named: then it is `verify-full`. The driver can't negotiate: `allow` is plain,
 * and `prefer` is `require`.
 * @throws {ConfigError} for an unknown mode or an unreadable file.
 */
export function readDatabaseAddress(databaseUrl: string): DatabaseAddress {
  const url = new URL(databaseUrl);
  const take = (name: string) => {
    const value = url.searchParams.get(name);
    url.searchParams.delete(name);
    return value || null;
  };
  const socketFolder = take("host");
  const rootCertificate = take("sslrootcert");
  const given = take("sslmode") ?? (rootCertificate === null ? "disable" : "verify-full");
  const certificate = take("sslcert");
  const key = take("sslkey");
  const mode = SSL_MODES.find((name) => name === given);
  if (!mode) throw new ConfigError(`DATABASE_URL's sslmode must be one of ${SSL_MODES.join(", ")}; it is "${given}"`);
  if ((certificate === null) !== (key === null)) {
    throw new ConfigError("DATABASE_URL must name both sslcert and sslkey, or neither");
  }
  if (url.hostname.includes(",")) {
    throw new ConfigError("DATABASE_URL must name one host; docs/many-machines.md says how to stand before several");
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const address: DatabaseAddress = {
    host: socketFolder ?? (host || "localhost"),
    port: Number(url.port || 5432),
    ...(url.username === "" ? {} : { user: decodeURIComponent(url.username) }),
    ...(url.password === "" ? {} : { password: decodeURIComponent(url.password) }),
    ...(url.pathname.length > 1 ? { database: decodeURIComponent(url.pathname.slice(1)) } : {}),
  };
  const settings = [...url.searchParams].map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, "\\$&")}`);
  if (settings.length > 0) address.options = settings.join(" ");
  if (socketFolder === null && mode !== "disable" && mode !== "allow") {
    address.ssl = {
      ...trustOf(mode === "prefer" ? "require" : mode, rootCertificate, host),
      ...(certificate !== null && key !== null
        ? { cert: readNamed("sslcert", certificate), key: readNamed("sslkey", key) }
        : {}),
    };
  }
  return address;
}

/** Formats an address for display: host, port and database, without credentials. */
export function nameDatabase(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  const name = decodeURIComponent(url.pathname.slice(1)) || decodeURIComponent(url.username);
  return `${hostOfDatabase(databaseUrl)}/${name}`;
}

/** Returns host and port, or the socket's folder. */
export function hostOfDatabase(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  return url.searchParams.get("host") || `${url.hostname || "localhost"}:${url.port || 5432}`;
}

function trustOf(mode: "require" | "verify-ca" | "verify-full", rootCertificate: string | null, host: string) {
  if (mode === "require" && rootCertificate === null) return { rejectUnauthorized: false };
  const trust: ConnectionOptions = {
    rejectUnauthorized: true,
    // The driver passes the host name only if it isn't an IP address, so both cases are compared here.
    checkServerIdentity: (_name, peer) => (mode === "verify-full" ? checkServerIdentity(host, peer) : undefined),
  };
  if (rootCertificate !== null && rootCertificate !== "system") trust.ca = readNamed("sslrootcert", rootCertificate);
  return trust;
}

function readNamed(parameter: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new ConfigError(`DATABASE_URL's ${parameter} cannot be read: ${reason}`);
  }
}
