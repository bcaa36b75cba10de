import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { ALL_SETTINGS, ConfigError, DEMO_DATA_DIR, environmentFor, readConfig } from "#config";
import { usualWebWorkers } from "./usable-memory.ts";

test("nothing set gives a site for this machine alone, with no secret", () => {
  const config = readConfig({});
  assert.deepEqual([config.host, config.port, config.siteUrl], ["127.0.0.1", 3000, "http://localhost:3000"]);
  assert.equal(config.dataDir, path.resolve("data"));
  assert.equal(readConfig({}, DEMO_DATA_DIR).dataDir, path.resolve("demo-data"));
  assert.deepEqual([config.trustProxy, config.probeAllowCidrs, config.mailFrom], [0, [], "no-reply@localhost"]);
  assert.deepEqual([config.s3, config.discord, config.backups, config.metrics], Array(4).fill(undefined));
  assert.equal(config.webWorkers, usualWebWorkers());
  for (const { name, default: given } of ALL_SETTINGS.filter(({ secret }) => secret))
    assert.equal(given, undefined, name);
});

for (const [name, value] of [
  ["PORT", "http"],
  ["PORT", "65536"],
  ["PORT", "-1"],
  ["PORT", "80.5"],
  ["HOST", "a b"],
  ["HOST", "999.1.1.1"],
  ["HOST", "::zz"],
  ["SITE_URL", "play.example.org"],
  ["SITE_URL", "https://example.org/site"],
  ["SITE_URL", "javascript:alert(1)"],
  ["DATABASE_URL", "mysql://localhost/x"],
  ["DATABASE_POOL", "1"],
  ["DATABASE_POOL", "10"],
  ["DRAIN_MS", "10001"],
  ["POLL_INTERVAL_S", "0"],
  ["POLL_INTERVAL_S", "3601"],
  ["PROBE_ALLOW_CIDRS", "10.0.0.0/33"],
  ["PROBE_ALLOW_CIDRS", "10.0.0.0/8,example.org"],
  ["SMTP_URL", "mail.example.org:587"],
  ["SMTP_URL", "https://mail.example.org"],
  ["SMTP_URL", "smtp://"],
  ["MAIL_FROM", "Site <site@example.org>"],
  ["MAIL_FROM", "a@example.org,b@example.org"],
  ["S3_ENDPOINT", "s3.example.org"],
  ["S3_ENDPOINT", "ftp://s3.example.org"],
  ["S3_REGION", "here or there"],
  ["S3_BUCKET_PREFIX", "../"],
  ["LOG_LEVEL", "loud"],
  ["BACKUP_EVERY_H", "0"],
  ["BACKUP_KEEP", "many"],
  ["METRICS_PORT", "0"],
  ["METRICS_PORT", "65001"],
  ["METRICS_HOST", "a b"],
  ["WEB_WORKERS", "0"],
  ["WEB_WORKERS", "65"],
  ["WEB_WORKERS", "auto"],
] as const) {
  test(`${name}=${value} is refused in one line that names it`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error) => {
        assert.ok(error instanceof ConfigError);
        assert.match(error.message, new RegExp(`^${name} must be [^\\n]+$`));
        return true;
      },
    );
  });
}

test("what may hold a password or a secret is never repeated, however wrong it is", () => {
  const wrong = ["me:hunter2@host", "x://me:hunter2@host", "%hunter2".repeat(50)];
  for (const { name } of ALL_SETTINGS.filter(({ secret }) => secret)) {
    const refused = wrong.filter((value) => {
      try {
        readConfig({ [name]: value });
        return false;
      } catch (error) {
        assert.ok(error instanceof ConfigError && !error.message.includes("hunter2"), `${name}=${value}`);
        return true;
      }
    });
    assert.ok(refused.length > 0, name);
  }
});

test("a wrong SMTP_URL is not repeated either, and a right one needs an address that mails come from", () => {
  assert.throws(() => readConfig({ SMTP_URL: "http://me:secret@host" }), /^ConfigError: (?!.*secret)/);
  assert.throws(() => readConfig({ SMTP_URL: "smtp://me:secret@host" }), /^ConfigError: MAIL_FROM (?!.*secret)/);
  const config = readConfig({ SMTP_URL: "smtps://me:secret@host", MAIL_FROM: "site@example.org" });
  assert.deepEqual([config.smtpUrl, config.mailFrom], ["smtps://me:secret@host", "site@example.org"]);
});

test("an object store needs all of its settings, which reach the processes that we start; its secret is not repeated", () => {
  const keys = { S3_ACCESS_KEY_ID: "me", S3_SECRET_ACCESS_KEY: "secret" };
  assert.throws(() => readConfig({ S3_ENDPOINT: "http://127.0.0.1:9000" }), /^ConfigError: S3_ACCESS_KEY_ID must/);
  assert.throws(() => readConfig(keys), /^ConfigError: S3_ENDPOINT must be set(?!.*secret)/);
  const config = readConfig({ ...keys, S3_ENDPOINT: "http://127.0.0.1:9000" });
  assert.deepEqual(config.s3, {
    endpoint: "http://127.0.0.1:9000",
    region: "us-east-1",
    accessKeyId: "me",
    secretAccessKey: "secret",
    bucketPrefix: "spawnpoint-",
  });
  assert.deepEqual(readConfig(environmentFor(config, {})).s3, config.s3);
});

test("sign-in with Discord needs both of its settings; one alone is refused, and the secret is not repeated", () => {
  const [id, secret] = ["123456789012345678", "not-for-the-log"];
  assert.throws(() => readConfig({ DISCORD_CLIENT_ID: id }), /^ConfigError: DISCORD_CLIENT_SECRET must be set where/);
  assert.throws(
    () => readConfig({ DISCORD_CLIENT_ID: " ", DISCORD_CLIENT_SECRET: secret }),
    /^ConfigError: DISCORD_CLIENT_ID must be set where(?!.*not-for-the-log)/,
  );
  const config = readConfig({ DISCORD_CLIENT_ID: id, DISCORD_CLIENT_SECRET: secret });
  assert.deepEqual(config.discord, { clientId: id, clientSecret: secret });
  assert.deepEqual(readConfig(environmentFor(config, {})).discord, config.discord);
});

test("push services are names of hosts, or none of them; an address is none", () => {
  const off = readConfig({ PUSH_HOSTS: "none" });
  assert.deepEqual(off.pushHosts, ["none"]);
  assert.deepEqual(readConfig(environmentFor(off, {})).pushHosts, ["none"], "not the default");
  assert.deepEqual(readConfig({ PUSH_HOSTS: "a.example, *.B.example" }).pushHosts, ["a.example", "*.b.example"]);
  for (const wrong of [
    "*",
    "localhost",
    "https://a.example",
    "a.example:443",
    "none,a.example",
    "*.*.example",
    "a.example,",
  ])
    assert.throws(() => readConfig({ PUSH_HOSTS: wrong }), /^ConfigError: PUSH_HOSTS must be names/, wrong);
});

test("without a mail server, mails come from the site's own name", () => {
  assert.equal(readConfig({ SITE_URL: "https://play.example.org" }).mailFrom, "no-reply@play.example.org");
});

test("several wrong settings are all named", () => {
  assert.throws(() => readConfig({ PORT: "x", LOG_LEVEL: "y" }), /PORT .*LOG_LEVEL /);
});

test("an empty value counts as absent, a single address as a range of one", () => {
  const config = readConfig({ PORT: "", PROBE_ALLOW_CIDRS: "10.0.0.0/8, 192.168.1.5,::1", HOST: "::1" });
  assert.equal(config.port, 3000);
  assert.deepEqual(config.probeAllowCidrs, ["10.0.0.0/8", "192.168.1.5/32", "::1/128"]);
  assert.equal(config.siteUrl, "http://localhost:3000");
  assert.equal(readConfig({ HOST: "fd00::7" }).siteUrl, "http://[fd00::7]:3000");
});

test("the address for people is no wildcard, and a given one loses its slash", () => {
  assert.equal(readConfig({ HOST: "0.0.0.0", PORT: "8080" }).siteUrl, "http://localhost:8080");
  assert.equal(readConfig({ HOST: "127.0.0.2" }).siteUrl, "http://127.0.0.2:3000");
  const given = readConfig({ SITE_URL: "https://play.example.org/" });
  assert.deepEqual([given.siteUrl, given.anyAddress], ["https://play.example.org", false]);
});

test("a process that we start reads the same config, with every setting in it", () => {
  const text = (setting: (typeof ALL_SETTINGS)[number]) => {
    const tried = [setting.example, setting.default, "1", "5", "123456", "x".repeat(40), "0".repeat(64)];
    return tried.find((value) => value && setting.check.safeParse(value).success);
  };
  const env = Object.fromEntries(ALL_SETTINGS.map((setting) => [setting.name, text(setting)]));
  const config = readConfig(env);
  assert.deepEqual(readConfig(environmentFor(config, {})), config);
  const passedOn = environmentFor(config, {});
  for (const { name } of ALL_SETTINGS) assert.ok(passedOn[name], name);
  assert.deepEqual(readConfig(environmentFor(readConfig({}), {})), readConfig({}));
  const changed = { ...readConfig({ SITE_URL: "https://x.example.org" }), demo: true, probeAllowCidrs: ["::1/128"] };
  assert.deepEqual(readConfig(environmentFor(changed, {})), changed);
});

test("the site's own port is none of those for figures", () => {
  assert.throws(
    () => readConfig({ PORT: "9465", METRICS_PORT: "9464" }),
    /^ConfigError: PORT 9465 .*METRICS_PORT 9464/,
  );
  assert.throws(() => readConfig({ PORT: "9464", METRICS_PORT: "9464" }), ConfigError);
  assert.equal(readConfig({ PORT: "9463", METRICS_PORT: "9464" }).port, 9463);
  assert.equal(readConfig({ PORT: "0", METRICS_PORT: "9464" }).port, 0);
});
