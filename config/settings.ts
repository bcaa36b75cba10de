/** Declares every setting of Spawnpoint once, for the config, the checks, `--help` and the table in docs/operating.md. */
import { z } from "zod";
import {
  addressWithPassword,
  cidrList,
  DISCORD_API,
  discordApi,
  flag,
  folder,
  hostList,
  hostName,
  issuerAddress,
  mailAddress,
  oneOf,
  secret,
  storeAddress,
  webOrigin,
  wholeNumber,
} from "./checks.ts";
import { usualWebWorkers } from "./usable-memory.ts";

export type Setting = {
  /** Its name in the environment. Names with SPAWNPOINT_ are for communication between the site's own processes. */
  name: string;
  /** Converts the text to the value; the message names the setting and the first error. */
  check: z.ZodType<unknown, string>;
  /** The value if it is not set, written as in the environment. */
  default?: string;
  /** The meaning of the default, if the value alone does not show it. */
  unset?: string;
  /** Its description, in whole sentences for the operator; Markdown's `code` is the only mark. */
  help: string;
  example?: string;
  /** Messages never repeat its value. */
  secret?: true;
};

/** By their name in `Config`. Settings in a group belong together: those without a default are all set, or the group is absent. */
export const SETTINGS = {
  siteUrl: {
    name: "SITE_URL",
    check: webOrigin,
    unset: "none: every address of this machine",
    help: "The site's public address, for links, cookies and login. Set it on every site that others reach.",
    example: "https://play.example.org",
  },
  port: {
    name: "PORT",
    check: wholeNumber(0, 65_535),
    default: "3000",
    help: "Port of the site; 0 takes any free one.",
  },
  host: {
    name: "HOST",
    check: hostName,
    default: "127.0.0.1",
    help: "Address to listen on; `0.0.0.0` is every one.",
  },
  dataDir: {
    name: "DATA_DIR",
    check: folder,
    default: "./data",
    help: "Folder for database, secrets, pictures and outbox, used by one start at a time. Demo: `./demo-data`.",
  },
  postgresBin: {
    name: "POSTGRES_BIN",
    check: folder,
    unset: "none: the programs that Spawnpoint brings",
    help: "Folder of other Postgres programs, version 15 or newer. `DATA_DIR` keeps the major version that created its database.",
    example: "/usr/lib/postgresql/15/bin",
  },
  databaseUrl: {
    name: "DATABASE_URL",
    check: addressWithPassword(/^postgres(ql)?:\/\//, "a Postgres"),
    unset: "none: the embedded Postgres",
    help: "Your own Postgres, version 15 or newer.",
    example: "postgres://user:password@host:5432/spawnpoint",
    secret: true,
  },
  databasePool: {
    name: "DATABASE_POOL",
    check: wholeNumber(2, 200),
    unset: "by the number of web processes",
    help: "Connections of each web process, and up to six more. Only with `DATABASE_URL`.",
  },
  webWorkers: {
    name: "WEB_WORKERS",
    check: wholeNumber(1, 64),
    default: String(usualWebWorkers()),
    unset: "cores less one, at least two from 1.5 GB of memory; one with less than 1 GB",
    help: "Web processes that share the port (Linux; elsewhere one).",
  },
  oneProcess: {
    name: "ONE_PROCESS",
    check: flag,
    unset: "`1` with less than 1 GB of memory, else `0`",
    help: "`1`: `spawnpoint start` runs web and collector in one process, which saves about 70 MB.",
  },
  pollIntervalS: {
    name: "POLL_INTERVAL_S",
    check: wholeNumber(1, 3600),
    default: "30",
    help: "Seconds between two checks of a server, unless it has its own interval. The same for web and collector.",
  },
  probeAllowCidrs: {
    name: "PROBE_ALLOW_CIDRS",
    check: cidrList,
    default: "",
    help: "Private address ranges that may be queried.",
    example: "10.0.0.0/8,192.168.1.5",
  },
  trustProxy: {
    name: "TRUST_PROXY",
    check: wholeNumber(0, 9),
    default: "0",
    help: "Number of trusted proxies in front (`X-Forwarded-For`).",
  },
  hstsSubdomains: {
    name: "HSTS_SUBDOMAINS",
    check: flag,
    default: "0",
    help: "`1`: HSTS with `includeSubDomains`. Only where all subdomains have HTTPS.",
  },
  drainMs: {
    name: "DRAIN_MS",
    check: wholeNumber(0, 10_000),
    default: "300",
    help: 'Milliseconds between "not ready" and the stop; more than 2000 for a balancer that checks every 2 s.',
  },
  authSecret: {
    name: "AUTH_SECRET",
    check: secret,
    unset: "made at the first start, kept in `DATA_DIR/secrets`",
    help: "Seals cookies and second factors: 32 characters or more, the same on every machine.",
    secret: true,
  },
  newAuthSecret: {
    name: "NEW_AUTH_SECRET",
    check: secret,
    help: "The next `AUTH_SECRET`, only for `spawnpoint change-secret`.",
    secret: true,
  },
  smtpUrl: {
    name: "SMTP_URL",
    check: addressWithPassword(/^smtps?:\/\/[^/]/, "a mail server's"),
    unset: "none: mails become files in `DATA_DIR/outbox`",
    help: "Mail server, encrypted unless on this machine.",
    example: "smtp://user:password@mail.example.org:587",
    secret: true,
  },
  mailFrom: {
    name: "MAIL_FROM",
    check: mailAddress,
    unset: "`no-reply@` the site's name",
    help: "Sender of mails; required with `SMTP_URL`.",
    example: "site@example.org",
  },
  pushHosts: {
    name: "PUSH_HOSTS",
    check: hostList,
    default: "fcm.googleapis.com,*.push.services.mozilla.com,*.notify.windows.com,*.push.apple.com",
    help: "Allowed push services, separated by commas; `*.` matches subdomains. `none` turns web push off.",
    example: "fcm.googleapis.com,*.push.apple.com",
  },
  /** A port of this machine that replaces every push service, and its certificate: for tests alone. */
  pretendPush: {
    port: {
      name: "SPAWNPOINT_PUSH_PORT",
      check: wholeNumber(1, 65_535),
      help: "A port of this machine that stands for every push service.",
    },
    certificate: {
      name: "SPAWNPOINT_PUSH_CERTIFICATE",
      check: folder,
      help: "The file of the certificate by which it does.",
    },
  },
  /** The store for avatars and pictures; absent: a folder of `dataDir`. */
  s3: {
    endpoint: {
      name: "S3_ENDPOINT",
      check: storeAddress,
      unset: "none: files in `DATA_DIR/buckets`",
      help: "S3 store for avatars and pictures.",
      example: "https://s3.example.org",
    },
    region: {
      name: "S3_REGION",
      check: z.string().regex(/^[\w-]{1,64}$/, "must be a region's name, such as {example}"),
      default: "us-east-1",
      help: "Region of the store.",
      example: "eu-central-1",
    },
    accessKeyId: {
      name: "S3_ACCESS_KEY_ID",
      check: z.string().max(200),
      help: "Required with `S3_ENDPOINT`.",
      secret: true,
    },
    secretAccessKey: {
      name: "S3_SECRET_ACCESS_KEY",
      check: z.string().max(200),
      help: "Required with `S3_ENDPOINT`.",
      secret: true,
    },
    bucketPrefix: {
      name: "S3_BUCKET_PREFIX",
      check: z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/, "must be small letters, digits and hyphens"),
      default: "spawnpoint-",
      help: "Prefix of bucket names.",
    },
  },
  /** Sign-in with Discord; absent: it is not offered. */
  discord: {
    clientId: {
      name: "DISCORD_CLIENT_ID",
      check: z.string().regex(/^\d{5,30}$/, "must be the number that Discord calls Application ID"),
      unset: "none: not offered",
      help: "Discord's Application ID, for login with Discord.",
    },
    clientSecret: {
      name: "DISCORD_CLIENT_SECRET",
      check: z.string().min(8, "is too short"),
      help: "Discord's Client Secret; required with `DISCORD_CLIENT_ID`.",
      secret: true,
    },
  },
  /** Login with any OpenID Connect provider; absent: it is not offered. */
  oidc: {
    issuer: {
      name: "OIDC_ISSUER",
      check: issuerAddress,
      unset: "none: not offered",
      help: "Issuer of an OpenID Connect provider, for login with it. Redirect URI there: `/api/auth/callback/oidc` after `SITE_URL`. It must confirm email addresses.",
      example: "https://id.example.org/realms/players",
    },
    clientId: {
      name: "OIDC_CLIENT_ID",
      check: z.string().max(400),
      help: "The site's client ID at `OIDC_ISSUER`; required with it.",
    },
    clientSecret: {
      name: "OIDC_CLIENT_SECRET",
      check: z.string().min(8, "is too short"),
      help: "The site's client secret at `OIDC_ISSUER`; required with it.",
      secret: true,
    },
    name: {
      name: "OIDC_NAME",
      check: z.string().max(40, "must have at most 40 characters"),
      default: "OpenID Connect",
      help: 'What people call the provider of `OIDC_ISSUER`: "Continue with …".',
    },
  },
  discordPublicKey: {
    name: "DISCORD_PUBLIC_KEY",
    check: z
      .string()
      .regex(/^[\da-f]{64}$/i, "must be the 64 characters that Discord calls Public Key")
      .transform((key) => key.toLowerCase()),
    unset: "none: no slash commands",
    help: "Discord's Public Key, for slash commands at `/discord/interactions`.",
  },
  /** Automatic backups; absent: none are made. */
  backups: {
    dir: {
      name: "BACKUP_DIR",
      check: folder,
      unset: "none: no backups by themselves",
      help: "Folder for scheduled backups, on another disk.",
    },
    everyH: {
      name: "BACKUP_EVERY_H",
      check: wholeNumber(1, 720),
      default: "24",
      help: "Hours between backups.",
    },
    keep: { name: "BACKUP_KEEP", check: wholeNumber(1, 1000), default: "7", help: "Number of backups to keep." },
  },
  /** Metrics for Prometheus, on a port of their own; absent: none. See config/own-ports.ts. */
  metrics: {
    port: {
      name: "METRICS_PORT",
      check: wholeNumber(1, 65_000),
      unset: "none: no figures are given",
      help: "First port for Prometheus (collector); web processes use the next ones.",
    },
    host: {
      name: "METRICS_HOST",
      check: hostName,
      default: "127.0.0.1",
      help: "Address of those ports; never a public one.",
    },
  },
  outpostToken: {
    name: "OUTPOST_TOKEN",
    check: z.string().max(200),
    help: "Token of `spawnpoint outpost`, from the admin area.",
    secret: true,
  },
  outpostTokenFile: {
    name: "OUTPOST_TOKEN_FILE",
    check: folder,
    help: "A file with the token.",
  },
  logLevel: {
    name: "LOG_LEVEL",
    check: oneOf(["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
    default: "info",
    help: "Lowest logged level: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.",
  },
  demo: { name: "SPAWNPOINT_DEMO", check: flag, default: "0", help: "Pretend game servers run beside the site." },
  dev: { name: "SPAWNPOINT_DEV", check: flag, default: "0", help: "Hot reload instead of the built site." },
  worker: {
    name: "SPAWNPOINT_WORKER",
    check: wholeNumber(1, 500),
    default: "1",
    help: "Which of a machine's web processes this is, from 1.",
  },
  supervised: {
    name: "SPAWNPOINT_SUPERVISED",
    check: flag,
    default: "0",
    help: "`spawnpoint start` runs this process and ends it; Ctrl-C is not for it.",
  },
  optionalPartMs: {
    name: "SPAWNPOINT_OPTIONAL_PART_MS",
    check: wholeNumber(1, 600_000),
    default: "400",
    help: "How many milliseconds a page waits for a part that it can be shown without. Tests wait as long as the machine takes.",
  },
  discordApi: {
    name: "SPAWNPOINT_DISCORD_API",
    check: discordApi,
    default: DISCORD_API,
    help: "Where tests have a Discord of their own, on this machine alone.",
  },
  startedBy: {
    name: "SPAWNPOINT_STARTED_BY",
    check: wholeNumber(1, 999_999_999),
    help: "The process that started this one and whose end ends it, where the launcher named one.",
  },
} satisfies Record<string, Setting | Record<string, Setting>>;

type ValueOf<Entry> = Entry extends Setting
  ? z.output<Entry["check"]> | (Entry extends { default: string } ? never : undefined)
  : { [Key in keyof Entry]: Entry[Key] extends Setting ? z.output<Entry[Key]["check"]> : never } | undefined;
type Read = { [Key in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Key]> };

/** The values read from the environment by these declarations; optional ones may be missing. */
export type Values = { [Key in keyof Read as undefined extends Read[Key] ? never : Key]: Read[Key] } & {
  [Key in keyof Read as undefined extends Read[Key] ? Key : never]?: Read[Key];
};

export const isSetting = (entry: Setting | Record<string, Setting>): entry is Setting => typeof entry.name === "string";

/** All settings, in their order. */
export const ALL_SETTINGS: readonly Setting[] = Object.values(SETTINGS).flatMap(
  (entry: Setting | Record<string, Setting>) => (isSetting(entry) ? [entry] : Object.values(entry)),
);

/** The settings for operators. */
export const OPERATOR_SETTINGS: readonly Setting[] = ALL_SETTINGS.filter(({ name }) => !name.startsWith("SPAWNPOINT_"));

/** Describes a setting: its value if not set, and its help. */
export function describeSetting(setting: Setting): { unset: string; help: string } {
  const { help, example, secret } = setting;
  return {
    unset: setting.unset ?? (setting.default ? `\`${setting.default}\`` : "none"),
    help: [help, example && `Example: \`${example}\`.`, secret && "Keep it secret."].filter(Boolean).join(" "),
  };
}
