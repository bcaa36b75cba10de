/** Every setting of Spawnpoint: the only reader of the environment, which refuses a bad value by its name. */
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import path from "node:path";
import { z } from "zod";

/** A setting is missing or wrong; the message is one line for the operator that names it. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

export type Config = {
  /** TCP port of the site; 0 takes any free one. */
  port: number;
  host: string;
  /** The address people type, without a slash at the end; where SITE_URL is unset, the first of this machine's own. */
  siteUrl: string;
  /** SITE_URL is unset: the site is at every address of this machine that `host` listens on. */
  anyAddress: boolean;
  /** Absolute path of the folder for everything this machine keeps. */
  dataDir: string;
  /** Absent: the embedded Postgres in `dataDir` is used. */
  databaseUrl?: string | undefined;
  /** Connections in the pool of one web process; absent: `webPoolSize` decides. */
  databasePool?: number | undefined;
  /** Seconds between two questions to the same game server. */
  pollIntervalS: number;
  /** Private address ranges that may be asked all the same, as `address/bits`. */
  probeAllowCidrs: string[];
  /** Ms between "not ready" and the first refusal of a web process that stops: what a balancer needs to look away. */
  drainMs: number;
  /** How many proxies in front of the site add to X-Forwarded-For; 0: the header is not believed. */
  trustProxy: number;
  /** What cookies and one-time codes are sealed with; absent: made at first run into `dataDir`. */
  authSecret?: string | undefined;
  /** What `spawnpoint change-secret` puts in its place; nothing else reads it. */
  newAuthSecret?: string | undefined;
  /** Sign-in with Discord; absent: it is not offered. */
  discord?: { clientId: string; clientSecret: string } | undefined;
  /** The operator's mail server; absent: mails become files in `dataDir`/outbox. Holds a password. */
  smtpUrl?: string | undefined;
  /** The address that mails come from. */
  mailFrom: string;
  /** A store that speaks S3 for avatars and pictures; absent: a folder of `dataDir`. Holds a secret. */
  s3?:
    | { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string; bucketPrefix: string }
    | undefined;
  /** Where figures for Prometheus are given, on a port of their own; absent: nowhere. See `metricsPortOf`. */
  metrics?: { host: string; port: number } | undefined;
  /** Backups made without being asked for: where, every how many hours, and how many are kept. Absent: none are made. */
  backups?: { dir: string; everyH: number; keep: number } | undefined;
  logLevel: "trace" | "debug" | "info" | "warn" | "error" | "fatal" | "silent";
  /** Pretend game servers run beside the site. */
  demo: boolean;
  /** Hot reload instead of the built site. */
  dev: boolean;
  /** Web processes that share the port on this machine. */
  webWorkers: number;
  /** Which of a machine's web processes this is, from 1. */
  worker: number;
  /** `spawnpoint start` runs this process and ends it; Ctrl-C is not for it. */
  supervised: boolean;
  /** The process that started this one and whose end ends it, where the launcher named one. */
  startedBy?: number | undefined;
};

const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
};

const webOrigin = z
  .string()
  .refine((value) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    return url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.hash;
  }, "must be an http or https address without a path, such as https://play.example.org")
  .transform((value) => new URL(value).origin);

/** In a name or a password these would be taken for parts of the address; none of them is repeated, it may be of a secret. */
const ESCAPES = "; in its name and password @ is written %40, : %3A, / %2F, # %23, ? %3F and % %25";

/** Whether each % begins an escape that stands for a character, in all that is read out of an address by its escapes. */
function isDecodable(value: string): boolean {
  const { username, password, pathname, hostname } = new URL(value);
  try {
    return [username, password, pathname, hostname].every((part) => decodeURIComponent(part) !== null);
  } catch {
    return false;
  }
}

const addressWithPassword = (scheme: RegExp, message: string) =>
  z
    .string()
    .refine((value) => scheme.test(value) && URL.canParse(value), message + ESCAPES)
    .refine((value) => !URL.canParse(value) || isDecodable(value), `has a % that begins no escape${ESCAPES}`);

const postgresUrl = addressWithPassword(
  /^postgres(ql)?:\/\//,
  "must be a Postgres address, such as postgres://user:password@host:5432/spawnpoint",
);

const smtpUrl = addressWithPassword(
  /^smtps?:\/\/[^/]/,
  "must be a mail server's address, such as smtp://user:password@mail.example.org:587",
);

const mailAddress = z
  .string()
  .max(254)
  .regex(
    /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i,
    "must be one email address alone, such as site@example.org (the site's name is put before it)",
  );

const cidr = z
  .string()
  .transform((value) => (value.includes("/") ? value : `${value}/${isIP(value) === 6 ? 128 : 32}`))
  .refine((value) => {
    const [address = "", bits = ""] = value.split("/");
    const family = isIP(address);
    return family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32);
  }, "must be address ranges with commas between, such as 10.0.0.0/8,192.168.1.5");

const cidrList = z
  .string()
  .transform((value) => value.split(",").map((part) => part.trim()))
  .pipe(z.array(cidr));

const secret = z.string().min(32, "must be at least 32 characters; `openssl rand -base64 32` makes one");

const settings = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, "must be an address of this machine or a host name")
    .default("127.0.0.1"),
  SITE_URL: webOrigin.optional(),
  DATA_DIR: z.string().optional(),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_POOL: wholeNumber(2, 200).optional(),
  POLL_INTERVAL_S: wholeNumber(1, 3600).default(30),
  PROBE_ALLOW_CIDRS: cidrList.default([]),
  DRAIN_MS: wholeNumber(0, 10_000).default(300),
  TRUST_PROXY: wholeNumber(0, 9).default(0),
  AUTH_SECRET: secret.optional(),
  NEW_AUTH_SECRET: secret.optional(),
  DISCORD_CLIENT_ID: z
    .string()
    .regex(/^\d{5,30}$/, "must be the number that Discord calls Application ID")
    .optional(),
  DISCORD_CLIENT_SECRET: z.string().min(8, "is too short").optional(),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailAddress.optional(),
  S3_ENDPOINT: z
    .string()
    .regex(
      /^https?:\/\/[\w.:[\]-]+(?:\/[\w.-]+)*\/?$/,
      "must be the address of the store, such as https://s3.example.org",
    )
    .refine((value) => URL.canParse(value), "must be an address")
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]{1,64}$/, "must be a region's name, such as eu-central-1")
    .default("us-east-1"),
  S3_ACCESS_KEY_ID: z.string().max(200).optional(),
  S3_SECRET_ACCESS_KEY: z.string().max(200).optional(),
  S3_BUCKET_PREFIX: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,40}$/, "must be small letters, digits and hyphens")
    .default("spawnpoint-"),
  METRICS_HOST: z
    .string()
    .regex(/^[\w.:-]+$/, "must be an address of this machine or a host name")
    .default("127.0.0.1"),
  METRICS_PORT: wholeNumber(1, 65_000).optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_EVERY_H: wholeNumber(1, 720).default(24),
  BACKUP_KEEP: wholeNumber(1, 1000).default(7),
  LOG_LEVEL: z
    .enum(
      ["trace", "debug", "info", "warn", "error", "fatal", "silent"],
      "must be one of trace, debug, info, warn, error, fatal, silent",
    )
    .default("info"),
  WEB_WORKERS: wholeNumber(1, 64).optional(),
  SPAWNPOINT_DEMO: z.enum(["0", "1"], "must be 0 or 1").default("0"),
  SPAWNPOINT_DEV: z.enum(["0", "1"], "must be 0 or 1").default("0"),
  SPAWNPOINT_SUPERVISED: z.enum(["0", "1"], "must be 0 or 1").default("0"),
  SPAWNPOINT_STARTED_BY: wholeNumber(1, 999_999_999).optional(),
  SPAWNPOINT_WORKER: wholeNumber(1, 500).default(1),
});

/** The names of all settings, in the order of this file. */
export const SETTING_NAMES: readonly string[] = Object.keys(settings.shape);

/** Never repeated in a message. */
const SECRET_SETTINGS = new Set([
  "DATABASE_URL",
  "AUTH_SECRET",
  "NEW_AUTH_SECRET",
  "DISCORD_CLIENT_SECRET",
  "SMTP_URL",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
]);

/** Where a site keeps its things unless DATA_DIR says otherwise. */
const DATA_DIR = "./data";
/** Where the demo does: a folder of its own, which no real site has ever used. */
export const DEMO_DATA_DIR = "./demo-data";

/**
 * Reads and checks every setting; an empty one counts as absent.
 * @param dataDir the data folder where no DATA_DIR is set
 * @throws {ConfigError} naming each setting that is wrong, with what it should be (a setting that holds a secret is
 *   not repeated).
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, dataDir: string = DATA_DIR): Config {
  const given = Object.fromEntries(Object.keys(settings.shape).map((name) => [name, env[name]?.trim() || undefined]));
  const result = settings.safeParse(given);
  if (!result.success) {
    const complaints = result.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return `${name} ${issue.message}${SECRET_SETTINGS.has(name) ? "" : `; it is "${given[name]}"`}`;
    });
    throw new ConfigError([...new Set(complaints)].join(". "));
  }
  const value = result.data;
  if (value.SMTP_URL && !value.MAIL_FROM) {
    throw new ConfigError("MAIL_FROM must be set where SMTP_URL is: mail servers refuse mail from made-up addresses");
  }
  if (value.DATABASE_POOL !== undefined && !value.DATABASE_URL) {
    throw new ConfigError("DATABASE_POOL must be set together with DATABASE_URL, or not at all");
  }
  const siteUrl = value.SITE_URL ?? `http://${hostForPeople(value.HOST)}:${value.PORT}`;
  return {
    port: value.PORT,
    host: value.HOST,
    siteUrl,
    anyAddress: value.SITE_URL === undefined,
    dataDir: path.resolve(value.DATA_DIR ?? dataDir),
    databaseUrl: value.DATABASE_URL,
    databasePool: value.DATABASE_POOL,
    pollIntervalS: value.POLL_INTERVAL_S,
    probeAllowCidrs: value.PROBE_ALLOW_CIDRS,
    drainMs: value.DRAIN_MS,
    trustProxy: value.TRUST_PROXY,
    authSecret: value.AUTH_SECRET,
    newAuthSecret: value.NEW_AUTH_SECRET,
    discord: readDiscord(value),
    smtpUrl: value.SMTP_URL,
    mailFrom: value.MAIL_FROM ?? `no-reply@${hostForMail(new URL(siteUrl).hostname)}`,
    s3: readS3(value),
    metrics: value.METRICS_PORT === undefined ? undefined : { host: value.METRICS_HOST, port: value.METRICS_PORT },
    backups: value.BACKUP_DIR
      ? { dir: path.resolve(value.BACKUP_DIR), everyH: value.BACKUP_EVERY_H, keep: value.BACKUP_KEEP }
      : undefined,
    logLevel: value.LOG_LEVEL,
    demo: value.SPAWNPOINT_DEMO === "1",
    dev: value.SPAWNPOINT_DEV === "1",
    webWorkers: value.WEB_WORKERS ?? Math.min(64, Math.max(1, availableParallelism() - 1)),
    worker: value.SPAWNPOINT_WORKER,
    supervised: value.SPAWNPOINT_SUPERVISED === "1",
    startedBy: value.SPAWNPOINT_STARTED_BY,
  };
}

/** Both or neither: a sign-in that was half set up would merely not be offered. */
function readDiscord(value: z.infer<typeof settings>): Config["discord"] {
  const { DISCORD_CLIENT_ID: clientId, DISCORD_CLIENT_SECRET: clientSecret } = value;
  if (clientId && clientSecret) return { clientId, clientSecret };
  if (clientId) throw new ConfigError("DISCORD_CLIENT_SECRET must be set where DISCORD_CLIENT_ID is");
  if (clientSecret) throw new ConfigError("DISCORD_CLIENT_ID must be set where DISCORD_CLIENT_SECRET is");
  return undefined;
}

/** All of the store's settings or none: half of them would be a mistake that shows only at the first upload. */
function readS3(value: z.infer<typeof settings>): Config["s3"] {
  const { S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = value;
  const required = { S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey };
  const given = Object.values(required).filter(Boolean).length;
  const missing = Object.keys(required).find((name) => !required[name as keyof typeof required]);
  if (given > 0 && missing) throw new ConfigError(`${missing} must be set where another S3_ setting is`);
  if (!endpoint || !accessKeyId || !secretAccessKey) return undefined;
  return { endpoint, region: value.S3_REGION, accessKeyId, secretAccessKey, bucketPrefix: value.S3_BUCKET_PREFIX };
}

/** The environment from which a process that we start reads this very config, with the rest of ours. */
export function environmentFor(config: Config, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return {
    ...env,
    NODE_ENV: config.dev ? "development" : "production",
    PORT: String(config.port),
    HOST: config.host,
    SITE_URL: config.anyAddress ? undefined : config.siteUrl,
    DATA_DIR: config.dataDir,
    DATABASE_URL: config.databaseUrl,
    DATABASE_POOL: config.databasePool === undefined ? undefined : String(config.databasePool),
    POLL_INTERVAL_S: String(config.pollIntervalS),
    PROBE_ALLOW_CIDRS: config.probeAllowCidrs.join(","),
    DRAIN_MS: String(config.drainMs),
    TRUST_PROXY: String(config.trustProxy),
    AUTH_SECRET: config.authSecret,
    DISCORD_CLIENT_ID: config.discord?.clientId,
    DISCORD_CLIENT_SECRET: config.discord?.clientSecret,
    SMTP_URL: config.smtpUrl,
    MAIL_FROM: config.mailFrom,
    S3_ENDPOINT: config.s3?.endpoint,
    S3_REGION: config.s3?.region,
    S3_ACCESS_KEY_ID: config.s3?.accessKeyId,
    S3_SECRET_ACCESS_KEY: config.s3?.secretAccessKey,
    S3_BUCKET_PREFIX: config.s3?.bucketPrefix,
    METRICS_HOST: config.metrics?.host,
    METRICS_PORT: config.metrics === undefined ? undefined : String(config.metrics.port),
    BACKUP_DIR: config.backups?.dir,
    BACKUP_EVERY_H: config.backups === undefined ? undefined : String(config.backups.everyH),
    BACKUP_KEEP: config.backups === undefined ? undefined : String(config.backups.keep),
    LOG_LEVEL: config.logLevel,
    SPAWNPOINT_DEMO: config.demo ? "1" : "0",
    SPAWNPOINT_DEV: config.dev ? "1" : "0",
    WEB_WORKERS: String(config.webWorkers),
    SPAWNPOINT_WORKER: String(config.worker),
    SPAWNPOINT_SUPERVISED: config.supervised ? "1" : "0",
    SPAWNPOINT_STARTED_BY: config.startedBy === undefined ? undefined : String(config.startedBy),
  };
}

/** "Every address of this machine" is nothing that a browser can open; its own name is, and passkeys need a name. */
function hostForPeople(host: string): string {
  if (["0.0.0.0", "::", "127.0.0.1", "::1"].includes(host)) return "localhost";
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** A bare address is no domain that mail can come from. */
function hostForMail(hostname: string): string {
  return isIP(hostname) !== 0 || hostname.startsWith("[") ? "localhost" : hostname;
}
