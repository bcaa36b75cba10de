/** Explains to an operator why a database can't be used: whether that may pass by itself, and what to do. */
import { hostOfDatabase, nameDatabase } from "./database-address.ts";

/**
 * `passes`: it may be over in a moment or in an hour, without any action here. `text`: a clause with the cause if it passes;
 * otherwise a full sentence with the remedy.
 */
export type DatabaseTrouble = { passes: boolean; text: string };

const passing = (text: string): DatabaseTrouble => ({ passes: true, text });
const lasting = (text: string): DatabaseTrouble => ({ passes: false, text });

/** A standby that waits to be promoted, or a database set to read-only. */
export const READ_ONLY = "it can only be read now (a standby, or default_transaction_read_only is on)";

/** Codes of the network, of Node, and of our own `DatabaseUnavailableError`. */
const PASSING: Record<string, string> = {
  ECONNREFUSED: "the connection is refused: nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host's name cannot be looked up now",
  ETIMEDOUT: "nothing answers: timed out",
  CONNECTION_SILENT: "it was reached and does not answer",
  EHOSTUNREACH: "the host cannot be reached",
  EHOSTDOWN: "the host is down",
  ENETUNREACH: "there is no way to its network",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection broke",
  ENOENT: "there is no socket in that folder",
  CONNECTION_LOST: "the connection was lost",
  CONNECTION_CLOSED: "the connection was closed",
};

/** SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const PASSING_STATES: Record<string, string> = {
  "57P01": "it is shutting down",
  "57P02": "it has crashed and is starting again",
  "53300": "it has no connection left (max_connections)",
  "53400": "it has reached a limit of its own",
  "57P05": "it ended the connection",
};

/** Certificate errors: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const CERTIFICATE =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/;

/** Finds the trouble behind an error of the driver or its users; null: not a database trouble. */
export function findDatabaseTrouble(error: unknown, databaseUrl: string): DatabaseTrouble | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth += 1) {
    const { code } = cause as NodeJS.ErrnoException;
    // The driver's errors of the network and the server's own both have a code; our file errors have a path.
    if (typeof code !== "string" || ("path" in cause && !("address" in cause))) continue;
    const found = judge(code, cause.message, databaseUrl);
    if (found !== null) return found;
  }
  return null;
}

/** @param message the server's or the system's */
export function judge(code: string, message: string, databaseUrl: string): DatabaseTrouble | null {
  const passes = PASSING[code] ?? PASSING_STATES[code];
  if (passes !== undefined) return passing(passes);
  if (code === "57P03") {
    return passing(/starting up/.test(message) ? "it is starting up" : `it takes no connections now (${message})`);
  }
  const url = new URL(databaseUrl);
  const name = nameDatabase(databaseUrl);
  const user = decodeURIComponent(url.username) || "(none)";
  const database = decodeURIComponent(url.pathname.slice(1)) || user;
  if (code === "28P01" || /SASL authentication failed|password authentication failed/.test(message)) {
    return lasting(
      `The database ${name} refuses user ${user} or the password: write the right ones into DATABASE_URL (in them @ is written %40, : %3A, / %2F and % %25).`,
    );
  }
  if (code === "28000") return judgeRefusal(message, { name, user });
  if (code === "3D000" || /no such database/.test(message)) {
    return lasting(
      `There is no database "${database}" at ${hostOfDatabase(databaseUrl)}: make it (\`CREATE DATABASE "${database}" OWNER "${user}"\`), or name another in DATABASE_URL.`,
    );
  }
  if (/unsupported startup parameter/.test(message)) {
    return lasting(
      `A pooler (PgBouncer) stands at ${hostOfDatabase(databaseUrl)} and refuses our time limits: let DATABASE_URL name Postgres' own address, or set pool_mode = session and ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout in pgbouncer.ini.`,
    );
  }
  if (code === "42501") return lasting(rightsText(message, { name, user, database }));
  if (code === "EACCES" || code === "EPERM") {
    return lasting(
      `This user may not open the socket of the database in ${hostOfDatabase(databaseUrl)}: give it the right to, or name a host in DATABASE_URL.`,
    );
  }
  if (CERTIFICATE.test(code)) {
    return lasting(
      `The certificate of the database ${name} is not trusted (${message}): name the root certificate that signed it in DATABASE_URL (sslrootcert=FILE), and the host as the certificate does.`,
    );
  }
  if (code === "25006") {
    return passing(READ_ONLY);
  }
  return null;
}

function judgeRefusal(message: string, { name, user }: { name: string; user: string }): DatabaseTrouble {
  if (/role ".*" does not exist/.test(message)) {
    return lasting(
      `The database ${name} knows no role "${user}": make it (\`CREATE ROLE "${user}" LOGIN PASSWORD '…'\`), or name another in DATABASE_URL.`,
    );
  }
  if (/no pg_hba\.conf entry.*no encryption|connection requires .*(?:SSL|TLS)|SSL required/is.test(message)) {
    return lasting(
      `The database ${name} lets user ${user} in from here by TLS alone, or not at all: add ?sslmode=require to DATABASE_URL, or a line for this machine to pg_hba.conf.`,
    );
  }
  return lasting(
    `The database ${name} does not let user ${user} in from here (${message}): add a line for this machine to pg_hba.conf there.`,
  );
}

function rightsText(message: string, { name, user, database }: { name: string; user: string; database: string }) {
  const grants = /for database|to connect/.test(message)
    ? `GRANT CONNECT, CREATE ON DATABASE "${database}" TO "${user}"`
    : /for schema/.test(message)
      ? `GRANT USAGE, CREATE ON SCHEMA public TO "${user}"`
      : `ALTER DATABASE "${database}" OWNER TO "${user}", and GRANT ALL ON ALL TABLES IN SCHEMA public TO "${user}"`;
  return `User ${user} has too few rights in the database ${name} (${message}): as its owner or a superuser run \`${grants}\`.`;
}
