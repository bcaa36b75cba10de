/** The whole site on its machines: two Postgres, a balancer, three web machines, two collectors, a store, game servers. */
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { connectDatabase, type Database } from "#db/client.ts";
import { seedDemoContent } from "#demo/demo-content.ts";
import { hashPassword } from "#domain/accounts/passwords.ts";
import { createUser, type User } from "#domain/accounts/users.ts";
import { updateRole } from "#domain/members/roles.ts";
import { startBalancer } from "./balancer.ts";
import { makeAuthority } from "./certificates.ts";
import { addMachine, addressOf, layNetwork, type Machine } from "./network.ts";
import { databaseUrlOf, definePostgres } from "./postgres.ts";
import { ourProgram, type Program, testProgram, until } from "./programs.ts";
import { createVisitor, type Door, openDoor, type Visitor } from "./visitor.ts";

const NAME = "play.spawnpoint.test";
const SITE_URL = `https://${NAME}`;
const BALANCER = 10;
const DATABASE_ENTRY = 11;
export const INTERVAL_S = 5;
export const GAME_SERVERS = 40;
const FIRST_GAME_PORT = 29_001;
export const PASSWORD = "a lamp in the harbour";

export type WebMachine = Program & { door: Door; dataDir: string };
export type Site = Awaited<ReturnType<typeof buildSite>>;

/** Builds it, in `folder`, from nothing to the first page. */
export async function buildSite(folder: string, say: (line: string) => void) {
  layNetwork();
  const authority = makeAuthority(folder);
  const entry = addressOf(DATABASE_ENTRY);

  const postgres = [41, 42].map((number, index) =>
    definePostgres(addMachine(`pg${index + 1}`, number), { folder, authority, entry }),
  );
  const [first, second] = postgres;
  if (!first || !second) throw new Error("there are two");
  await first.create();
  second.follow(first);
  await second.start();
  await until("replication", 20_000, () => first.sql("SELECT count(*) FROM pg_stat_replication") === "1");
  say(`Postgres ${first.sql("SHOW server_version")} on pg1, followed by pg2 over TLS`);

  const balancer = addMachine("balancer", BALANCER, [DATABASE_ENTRY]);
  const haproxy = startBalancer(balancer, folder, NAME, authority.certify("site", [`DNS:${NAME}`]));
  const databaseUrl = databaseUrlOf(entry, authority);

  const storeMachine = addMachine("store", 51);
  const buckets = path.join(folder, "buckets");
  mkdirSync(buckets);
  const store = testProgram(storeMachine, "store-machine.ts", [storeMachine.address, "9000", buckets]);
  store.start();
  const games = addMachine("games", 61);
  const gamePrograms = testProgram(games, "game-machine.ts", [
    games.address,
    String(FIRST_GAME_PORT),
    String(GAME_SERVERS),
  ]);
  gamePrograms.start();

  const env = (machine: Machine): NodeJS.ProcessEnv => ({
    NODE_ENV: "production",
    HOST: machine.address,
    PORT: "3000",
    SITE_URL,
    TRUST_PROXY: "1",
    DRAIN_MS: "3000",
    DATA_DIR: path.join(folder, machine.name),
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: "8",
    AUTH_SECRET: "the same thirty-two letters everywhere",
    S3_ENDPOINT: `http://${storeMachine.address}:9000`,
    // The only account that this store knows.
    S3_ACCESS_KEY_ID: "S3RVER",
    S3_SECRET_ACCESS_KEY: "S3RVER",
    POLL_INTERVAL_S: String(INTERVAL_S),
    PROBE_ALLOW_CIDRS: `${games.address}/32`,
    WEB_WORKERS: "1",
    LOG_LEVEL: "info",
  });
  const migration = ourProgram(addMachine("operator", 71), "migrate", env(balancer));
  await until(
    () => `the balancer finds the primary; it said: ${haproxy.output()}`,
    30_000,
    // It takes both for up until it has asked them.
    async () => {
      const states = await haproxy.states();
      return states.get("postgres/pg1") === "UP" && states.get("postgres/pg2") === "DOWN";
    },
  );
  migration.start();
  if ((await migration.ended()) !== 0) throw new Error(`migrate failed: ${migration.output()}`);

  const database = connectDatabase({ databaseUrl }, { max: 4, applicationName: "machines test" });
  await seedDemoContent(database.db);
  await addGameServers(database, games.address);

  const webs: WebMachine[] = [21, 22, 23].map((number, index) => {
    const machine = addMachine(`web${index + 1}`, number);
    const settings = env(machine);
    return {
      ...ourProgram(machine, "web", settings),
      door: openDoor(machine.address, 3000, SITE_URL, null),
      dataDir: settings.DATA_DIR ?? "",
    };
  });
  const collectors = [31, 32].map((number, index) => {
    const machine = addMachine(`collector${index + 1}`, number);
    return ourProgram(machine, "collector", env(machine));
  });
  for (const program of [...webs, ...collectors]) program.start();
  const door = openDoor(balancer.address, 443, SITE_URL, readFileSync(authority.file));
  for (const web of webs) await untilReady(web);
  await until("the balancer finds the web machines", 60_000, async () => {
    const states = await haproxy.states();
    return webs.every(({ machine }) => states.get(`web/${machine.name}`) === "UP");
  });
  say(`three web machines ready behind HAProxy, two collectors, ${GAME_SERVERS} game servers every ${INTERVAL_S} s`);

  let visitors = 0;
  /** A browser at an address that nobody has used. */
  function visitor(): Visitor {
    visitors += 1;
    return createVisitor(`203.0.113.${visitors}`);
  }
  let hash: string | undefined;
  async function member(email: string): Promise<User> {
    hash ??= await hashPassword(PASSWORD);
    return createUser(database.db, { email, passwordHash: hash, locale: "en", emailVerified: true });
  }
  const signIn = (at: Visitor, by: Door, email: string, password = PASSWORD) =>
    at.post(by, "/login/", { intent: "login", email, password });

  return {
    authority,
    balancer,
    haproxy,
    postgres,
    webs,
    collectors,
    store,
    games: gamePrograms,
    database,
    databaseUrl,
    door,
    env,
    entry,
    siteUrl: SITE_URL,
    visitor,
    member,
    signIn,
    /** A browser in which somebody new is signed in, at the machine of this door. */
    async signedIn(by: Door, email: string): Promise<{ at: Visitor; user: User }> {
      const user = await member(email);
      const at = visitor();
      const answer = await signIn(at, by, email);
      if (answer.status !== 302)
        throw new Error(`signing in was answered by ${answer.status}: ${answer.text.slice(0, 300)}`);
      return { at, user };
    },
    async admin(): Promise<Visitor> {
      const user = await member(`admin${visitors}@example.org`);
      await updateRole(database.db, user.id, "admin");
      const at = visitor();
      await signIn(at, webs[0]?.door ?? door, user.email);
      return at;
    },
    async stop() {
      await database.close().catch(() => {});
      for (const program of [...webs, ...collectors, gamePrograms, store, haproxy]) await program.kill();
      for (const server of postgres) await server.stop();
      await pause(100);
    },
  };
}

/** Waits until a web machine says that it is ready; resolves to how long that took, in ms. */
export const untilReady = (web: WebMachine, limitMs = 60_000): Promise<number> =>
  until(
    () => `${web.machine.name} ready; it said: ${web.output().slice(-500)}`,
    limitMs,
    async () => {
      return (await createVisitor("192.0.2.1").get(web.door, "/readyz")).status === 200;
    },
  );

/** Game servers that are asked, and ones that report themselves, by the token `heartbeat-token-of-game-server-<n>`. */
async function addGameServers({ sql }: Database, host: string): Promise<void> {
  const [game] = await sql<{ game_id: number }[]>`SELECT game_id FROM games WHERE game_slug = 'valheim'`;
  const gameId = game?.game_id ?? 0;
  await sql`UPDATE gameserver SET lifecycle = 'retired'`;
  await sql`
    INSERT INTO gameserver (game_id, server_name, visibility, host, game_port, query_port, adapter)
    SELECT ${gameId}, 'Game server ' || n, 'public', ${host}, ${FIRST_GAME_PORT}::int + n, ${FIRST_GAME_PORT}::int + n, 'a2s'
    FROM generate_series(0, ${GAME_SERVERS - 1}::int) n`;
  await sql`
    INSERT INTO gameserver (game_id, server_name, visibility, adapter, heartbeat_token_hash)
    SELECT ${gameId}, 'Reporter ' || n, 'public', 'heartbeat',
      encode(sha256(('heartbeat-token-of-game-server-' || n)::bytea), 'hex')
    FROM generate_series(0, 19) n`;
}
