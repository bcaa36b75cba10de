/** Checks whether a site can reach and use a database: its version, our rights, and stable connections. */
import pg from "pg";
import { connectDatabase } from "./client.ts";
import { hostOfDatabase, nameDatabase, readDatabaseAddress } from "./database-address.ts";
import { type DatabaseTrouble, findDatabaseTrouble, judge, READ_ONLY } from "./database-trouble.ts";
import { knock } from "./knock.ts";
import { compareMigrations, listMigrations, readAppliedMigrations } from "./migrations.ts";
import { toUnavailable } from "./pool.ts";
import { createQueryable, type Queryable } from "./sql.ts";
import { findTooOld } from "./tables-version.ts";

const KNOCK_MS = 3000;
/** A Postgres that replied once and then no more counts as silent. */
const ANSWER_MS = 8000;
const OLDEST = 15;
/** How often two connections are compared: a pooler may hand out different ones under load. */
const ROUNDS = 4;

/**
 * Returns null for a usable database. Writes nothing.
 * @param options.quick only checks whether it replies: for a process whose parent has checked the rest
 * @param options.writes also checks whether it accepts writes
 * @throws errors unrelated to a database.
 */
export async function probeDatabase(
  databaseUrl: string,
  { quick = false, writes = false }: { quick?: boolean | undefined; writes?: boolean | undefined } = {},
): Promise<DatabaseTrouble | null> {
  const heard = await knock(databaseUrl, KNOCK_MS);
  const known = judgeKnock(heard, databaseUrl);
  if (known !== null) return known;
  const clients = [0, 1].map(
    () =>
      new pg.Client({
        ...readDatabaseAddress(databaseUrl),
        connectionTimeoutMillis: 3000,
        application_name: "spawnpoint probe",
        // The limits of all our connections: a refusal here would also happen later.
        statement_timeout: 5000,
        idle_in_transaction_session_timeout: 60_000,
      }),
  );
  for (const client of clients) client.on("error", () => {});
  const look = async () => {
    await Promise.all(clients.map((client) => client.connect()));
    const [sql, second] = clients.map((client) => createQueryable(client.query.bind(client)));
    if (!sql || !second) throw new Error("two connections were opened");
    if (!quick) return await lookAt([sql, second], databaseUrl, writes);
    await sql`SELECT 1`;
    return null;
  };
  const work = look().catch((error: unknown) => {
    const trouble = findDatabaseTrouble(toUnavailable(error), databaseUrl);
    if (trouble === null) throw error;
    return trouble;
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<DatabaseTrouble>((resolve) => {
    timer = setTimeout(resolve, ANSWER_MS, { passes: true, text: "it was reached and does not answer" });
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {});
    // Don't wait: a silent server never replies to the end.
    for (const client of clients) client.end().catch(() => {});
  }
}

function judgeKnock(heard: Awaited<ReturnType<typeof knock>>, databaseUrl: string): DatabaseTrouble | null {
  const host = hostOfDatabase(databaseUrl);
  if ("code" in heard) {
    return judge(heard.code, heard.code, databaseUrl) ?? { passes: true, text: `it cannot be reached (${heard.code})` };
  }
  if (heard.said === "closed") return { passes: true, text: "the connection is closed at once, without a word" };
  if (heard.said === "silent") return { passes: true, text: "it was reached and does not answer" };
  if (heard.said === "stranger") {
    return {
      passes: false,
      text: `What answers at ${host} is no Postgres: write its host and port into DATABASE_URL.`,
    };
  }
  const { ssl } = readDatabaseAddress(databaseUrl);
  if (heard.said === "plain" && typeof ssl === "object") {
    return {
      passes: false,
      text: `The database at ${host} speaks no TLS, and sslmode in DATABASE_URL asks for it: switch it on there (ssl = on), or write sslmode=disable where the way to it is private.`,
    };
  }
  return null;
}

async function lookAt(
  both: [Queryable, Queryable],
  databaseUrl: string,
  writes: boolean,
): Promise<DatabaseTrouble | null> {
  const [sql] = both;
  const [found] = await sql<
    {
      version: number;
      role: string;
      database: string;
      schema: boolean;
      create: boolean;
      public: boolean;
      owner: string | null;
      read_only: boolean;
    }[]
  >`
    SELECT current_setting('server_version_num')::int AS version, current_user AS role, current_database() AS database,
      to_regnamespace('drizzle') IS NOT NULL AS schema,
      has_database_privilege(current_database(), 'CREATE') AS create,
      has_schema_privilege('public', 'CREATE') AS public,
      pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS read_only,
      (SELECT c.relowner::regrole::text FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relname = 'gameserver' AND c.relkind IN ('r', 'p')
          AND NOT pg_has_role(c.relowner, 'USAGE')) AS owner`;
  if (!found) return null;
  const name = nameDatabase(databaseUrl);
  const lasting = (text: string): DatabaseTrouble => ({ passes: false, text });
  const major = Math.floor(found.version / 10_000);
  if (major < OLDEST) {
    return lasting(
      `The database ${name} is Postgres ${major}, and ${OLDEST} or newer is needed: upgrade it, or use another.`,
    );
  }
  if (writes && found.read_only) return { passes: true, text: READ_ONLY };
  const { role, database } = found;
  if (found.owner !== null) {
    return lasting(
      `The tables in the database ${name} belong to ${found.owner}, and ${role} may not change them: sign in as ${found.owner} in DATABASE_URL, or run \`GRANT ${found.owner} TO "${role}"\` as a superuser.`,
    );
  }
  const grants = [
    ...(found.schema || found.create ? [] : [`GRANT CREATE ON DATABASE "${database}" TO "${role}"`]),
    ...(found.public ? [] : [`GRANT USAGE, CREATE ON SCHEMA public TO "${role}"`]),
  ];
  if (grants.length > 0) {
    return lasting(
      `User ${role} has too few rights in the database ${name}: connected to that database as its owner or a superuser run \`${grants.join("; ")}\`.`,
    );
  }
  return (await sharesConnections(...both))
    ? lasting(
        `A pooler that hands a connection on after each transaction (PgBouncer) stands at ${hostOfDatabase(databaseUrl)}, and the site would hear of no change: set pool_mode = session there, or let DATABASE_URL name Postgres' own address.`,
      )
    : null;
}

/** True if two open connections of ours are the same at the server, or one of them changes. */
async function sharesConnections(...both: [Queryable, Queryable]): Promise<boolean> {
  const seen: [Set<number>, Set<number>] = [new Set(), new Set()];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, connection] of both.entries()) {
      const [row] = await connection<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      if (row) seen[at]?.add(row.pid);
    }
  }
  return seen[0].size > 1 || seen[1].size > 1 || [...seen[0]].some((pid) => seen[1].has(pid));
}

/**
 * Checks whether the tables are this version's, or a later one's. Null: they are; a start or `spawnpoint migrate`, on any machine,
 * adds what is missing.
 */
export async function probeTables(databaseUrl: string): Promise<DatabaseTrouble | null> {
  const { sql, close } = connectDatabase({ databaseUrl }, { max: 1, applicationName: "spawnpoint probe" });
  try {
    const known = listMigrations();
    const level = compareMigrations(await readAppliedMigrations(sql), known);
    if (level.kind === "foreign") {
      const database = `The database ${nameDatabase(databaseUrl)}`;
      const text = level.why
        ? `${database} can't be used yet: ${level.why}.`
        : `${database} was migrated by something else than Spawnpoint, or a migration was edited: name the site's own in DATABASE_URL.`;
      return { passes: false, text };
    }
    if (level.kind === "newer") {
      const text = await findTooOld(sql);
      return text === null ? null : { passes: false, text };
    }
    if (level.steps === known.length) return null;
    return {
      passes: true,
      text: `its tables are ${level.steps === 0 ? "not made yet" : "those of an earlier version"}, and \`spawnpoint migrate\` brings them`,
    };
  } catch (error) {
    const trouble = findDatabaseTrouble(error, databaseUrl);
    if (trouble === null) throw error;
    return trouble;
  } finally {
    await close();
  }
}
