/** Reads the environment, which no other file does; refuses a bad value by its name. */
import { isIP } from "node:net";
import { ownPorts } from "./own-ports.ts";
import { ALL_SETTINGS, isSetting, SETTINGS, type Setting, type Values } from "./settings.ts";

export { metricsPortOf, ownPorts } from "./own-ports.ts";
export { ALL_SETTINGS, describeSetting, OPERATOR_SETTINGS } from "./settings.ts";
export { SMALL_MACHINE, usableMemory } from "./usable-memory.ts";

/** A setting is missing or wrong; the message is one line for the operator that names it. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** Every setting by its name in config/settings.ts, which explains each, and derived values. */
export type Config = Values & {
  /** If SITE_URL is unset, the first of this machine's own addresses. */
  siteUrl: string;
  /** SITE_URL is unset: the site is at every address of this machine that `host` listens on. */
  anyAddress: boolean;
  mailFrom: string;
};

/** The demo's own data folder, which no real site has ever used. */
export const DEMO_DATA_DIR = "./demo-data";

/**
 * Reads and checks every setting; an empty one counts as absent.
 * @param dataDir the data folder if no DATA_DIR is set
 * @throws {ConfigError} naming each setting that is wrong, with the expected form (the value of a secret setting is not
 * repeated).
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, dataDir?: string): Config {
  const given = Object.fromEntries(ALL_SETTINGS.map(({ name }) => [name, env[name]?.trim() || undefined]));
  given.DATA_DIR ??= dataDir;
  const complaints = new Set<string>();
  const read = (setting: Setting): unknown => {
    const { name, check, example = "", secret } = setting;
    const text = given[name] ?? setting.default;
    if (text === undefined) return undefined;
    const { data, error } = check.safeParse(text);
    for (const { message } of error?.issues ?? []) {
      complaints.add(`${name} ${message.replace("{example}", () => example)}${secret ? "" : `; it is "${text}"`}`);
    }
    return data;
  };
  const all = new Map(ALL_SETTINGS.map((setting) => [setting, read(setting)]));
  if (complaints.size > 0) throw new ConfigError([...complaints].join(". "));

  const together = (group: Record<string, Setting>): unknown => {
    const needed = Object.values(group).filter((setting) => setting.default === undefined);
    const there = needed.find(({ name }) => given[name]);
    const missing = needed.find(({ name }) => !given[name]);
    if (there && missing) throw new ConfigError(`${missing.name} must be set where ${there.name} is`);
    return there && Object.fromEntries(Object.entries(group).map(([key, setting]) => [key, all.get(setting)]));
  };
  const value = Object.fromEntries(
    Object.entries<Setting | Record<string, Setting>>(SETTINGS).map(([key, entry]) => [
      key,
      isSetting(entry) ? all.get(entry) : together(entry),
    ]),
    // Each has its check's return type.
  ) as Values;
  if (value.smtpUrl && !value.mailFrom) {
    throw new ConfigError("MAIL_FROM must be set where SMTP_URL is: mail servers refuse mail from made-up addresses");
  }
  if (value.databasePool !== undefined && !value.databaseUrl) {
    throw new ConfigError("DATABASE_POOL must be set together with DATABASE_URL, or not at all");
  }
  if (ownPorts(value).slice(1).includes(value.port)) {
    throw new ConfigError(
      `PORT ${value.port} is one of the ports for figures, which begin at METRICS_PORT ${value.metrics?.port}: set one of them apart`,
    );
  }
  const siteUrl = value.siteUrl ?? `http://${hostForPeople(value.host)}:${value.port}`;
  return {
    ...value,
    siteUrl,
    anyAddress: value.siteUrl === undefined,
    mailFrom: value.mailFrom ?? `no-reply@${hostForMail(new URL(siteUrl).hostname)}`,
  };
}

/** Makes the environment from which a child process reads this very config, with the rest of ours. */
export function environmentFor(config: Config, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const given: Values = { ...config, siteUrl: config.anyAddress ? undefined : config.siteUrl };
  const ours = (
    settings: Record<string, Setting | Record<string, Setting>>,
    values: object = {},
  ): [string, unknown][] =>
    Object.entries(settings).flatMap(([key, entry]) => {
      const value: unknown = Reflect.get(values, key);
      return isSetting(entry) ? [[entry.name, value]] : ours(entry, value ?? undefined);
    });
  return {
    ...env,
    NODE_ENV: config.dev ? "development" : "production",
    ...Object.fromEntries(ours(SETTINGS, given).map(([name, value]) => [name, textOf(value)])),
  };
}

/** Formats a value for the environment; a list is separated by commas. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "boolean") return value ? "1" : "0";
  return value === undefined ? undefined : String(value);
}

/** A browser can't open "every address of this machine"; it can open its own name, and passkeys need a name. */
function hostForPeople(host: string): string {
  if (["0.0.0.0", "::", "127.0.0.1", "::1"].includes(host)) return "localhost";
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** Mail can't come from a bare address instead of a domain. */
function hostForMail(hostname: string): string {
  return isIP(hostname) !== 0 || hostname.startsWith("[") ? "localhost" : hostname;
}
