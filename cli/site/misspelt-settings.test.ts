import assert from "node:assert/strict";
import { test } from "node:test";
import { listMisspeltSettings } from "./misspelt-settings.ts";

const TOLD: [name: string, meant: string][] = [
  ["SMPT_URL", "SMTP_URL"],
  ["SITEURL", "SITE_URL"],
  ["SITE_ULR", "SITE_URL"],
  ["SPAWNPOINT_PORT", "PORT"],
  ["SPAWNPOINT_SITE_URL", "SITE_URL"],
  ["SPAWNPOINT_DATABSE_URL", "DATABASE_URL"],
  ["DATABASE_URI", "DATABASE_URL"],
  ["DATABSE_ULR", "DATABASE_URL"],
  ["TRUST_PROXYS", "TRUST_PROXY"],
  ["TRUSTPROXY", "TRUST_PROXY"],
  ["BACKUPDIR", "BACKUP_DIR"],
  ["data_dir", "DATA_DIR"],
  ["DISCORD_CLIENTID", "DISCORD_CLIENT_ID"],
  ["S3_ACCESS_KEY", "S3_ACCESS_KEY_ID"],
  ["POLL_INTERVAL", "POLL_INTERVAL_S"],
];

test("a slip of the pen is named with what was meant", () => {
  for (const [name, meant] of TOLD) {
    assert.deepEqual(listMisspeltSettings({ [name]: "value" }), [
      `${name} is no setting of Spawnpoint and does nothing: is ${meant} meant?`,
    ]);
  }
});

test("of a short name only a slip of the fingers counts, with a value that would do", () => {
  const meant = (env: NodeJS.ProcessEnv) => listMisspeltSettings(env).map((line) => /is (\w+) meant/.exec(line)?.[1]);
  // Other words, letters in the place of others, and another program's values.
  for (const name of [
    "SORT",
    "POST",
    "PART",
    "PORTS",
    "SPORT",
    "EXPORT",
    "REPORT",
    "FORT",
    "COST",
    "HOSTS",
    "GHOST",
    "HOME",
    "T",
  ])
    for (const value of ["8080", "127.0.0.1"]) assert.deepEqual(meant({ [name]: value }), [], name);
  for (const [name, value] of [
    ["PRT", "lp0"],
    ["POT", "tea"],
    ["HOTS", "many"],
    ["PRT", "808080"],
  ] as const)
    assert.deepEqual(meant({ [name]: value }), [], name);
  assert.deepEqual(meant({ PRT: "8080", PORT: "3000" }), [], "the right one is set");
  for (const name of ["PRT", "POT", "PROT", "POTR", "PORTT", "prt"])
    assert.deepEqual(meant({ [name]: "8080" }), ["PORT"], name);
  for (const [name, value] of [
    ["HST", "0.0.0.0"],
    ["HOTS", "::"],
    ["HOOST", "localhost"],
  ] as const)
    assert.deepEqual(meant({ [name]: value }), ["HOST"], name);
});

/** As on Debian, under systemd, in Docker, Kubernetes (a service called spawnpoint among them), GitHub's and GitLab's CI, and npm. */
const USUAL = `
  HOME HOST PORT HOSTNAME HOSTTYPE PATH PWD OLDPWD SHELL SHLVL USER LOGNAME LANG LANGUAGE LC_ALL TERM COLORTERM TZ MAIL MAILCHECK EDITOR PAGER
  LS_COLORS DISPLAY SSH_CLIENT SSH_CONNECTION SSH_TTY SUDO_USER SUDO_UID SUDO_COMMAND XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR
  XDG_SESSION_ID DBUS_SESSION_BUS_ADDRESS INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID STATE_DIRECTORY
  RUNTIME_DIRECTORY CACHE_DIRECTORY LOGS_DIRECTORY CONFIGURATION_DIRECTORY CREDENTIALS_DIRECTORY MAINPID WATCHDOG_USEC SYSTEMD_EXEC_PID
  MEMORY_PRESSURE_WATCH NODE_ENV NODE_VERSION NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS YARN_VERSION DOCKER_HOST DOCKER_CONFIG
  COMPOSE_PROJECT_NAME KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_SERVICE_PORT_HTTPS
  KUBERNETES_PORT_443_TCP KUBERNETES_PORT_443_TCP_ADDR POD_NAME POD_NAMESPACE NODE_NAME CI CI_JOB_ID CI_COMMIT_SHA GITHUB_ACTIONS
  GITHUB_WORKSPACE GITHUB_TOKEN GITHUB_SHA RUNNER_TEMP RUNNER_OS GITLAB_CI BUILD_ID BUILD_NUMBER JENKINS_URL WORKSPACE npm_config_cache
  npm_lifecycle_event npm_package_name npm_node_execpath INIT_CWD http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY
  PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE POSTGRES_PASSWORD POSTGRES_USER POSTGRES_DB AWS_REGION AWS_ACCESS_KEY_ID
  AWS_SECRET_ACCESS_KEY AWS_DEFAULT_REGION S3_BUCKET SMTP_HOST SMTP_PORT SMTP_USER SMTP_PASSWORD MAIL_HOST DATABASE_HOST DATABASE_PORT
  DATABASE_USER DATABASE_NAME DB_URL REDIS_URL SENTRY_DSN BASE_URL APP_URL PUBLIC_URL DEBUG LOG_FORMAT LOG_FILE METRICS_PATH SECRET
  AUTH_TOKEN DATA BACKUP SERVER_PORT CHROMIUM_PATH SPAWNPOINT_TEST_POSTGRES SPAWNPOINT_FAULTS`;

test("what other programs are told is none of our business, nor a setting that is spelt right", () => {
  const env: NodeJS.ProcessEnv = Object.fromEntries(
    USUAL.trim()
      .split(/\s+/)
      .map((name) => [name, "value"]),
  );
  assert.ok(Object.keys(env).length > 130);
  assert.deepEqual(listMisspeltSettings(env), []);
  assert.deepEqual(
    listMisspeltSettings({
      SPAWNPOINT_PORT: "tcp://10.0.0.1:80",
      SPAWNPOINT_SERVICE_HOST: "10.0.0.1",
      SPAWNPOINT_SERVICE_PORT: "80",
      SPAWNPOINT_PORT_80_TCP_PORT: "80",
      SMTP_URL: "smtp://127.0.0.1",
      SMPT_URL: "of another program, for ours is set",
      SITE_URLS: "",
    }),
    [],
  );
});
