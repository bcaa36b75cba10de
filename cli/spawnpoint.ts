/** The operator's command: finds the requested subcommand, runs it, and exits with its code. */
import { inspect } from "node:util";
import installed from "../package.json" with { type: "json" };
import { findDatabaseErrorText } from "./database-error-text.ts";
import { isMendable } from "./mendable.ts";
import { beginCompiled, keepCompiled } from "./process/compile-cache.ts";
import { exitWhenWritten } from "./process/exit-when-written.ts";
import { asError, findJournal } from "./process/journal.ts";
import { registerQuickImports } from "./process/quick-imports.ts";
import { typedCommand } from "./typed-command.ts";

type Command = { run(args: string[]): Promise<number> };

type CommandEntry = {
  /** Arguments after the name. */
  usage?: string;
  summary: string;
  /** Lines of its own help: options, and exit codes. */
  details?: readonly string[];
  load(): Promise<Command>;
};

const NEEDS_DATABASE = ["DATABASE_URL has to be set; `start` runs this by itself."];
const ON_RUNNING_SITE = ["Works on the site of DATA_DIR while it runs, or on the database of DATABASE_URL."];

const COMMANDS: Record<string, CommandEntry> = {
  start: {
    usage: "[--demo] [--dev]",
    summary: "the whole site on this machine; --demo adds pretend game servers",
    details: [
      "--demo  a site with pretend game servers and people, in a data folder of its own",
      "--dev   for contributors: every change of the code is loaded at once",
    ],
    load: () => import("./commands/start.ts"),
  },
  web: {
    summary: "answers visitors (DATABASE_URL must be set)",
    details: NEEDS_DATABASE,
    load: () => import("./commands/web.ts"),
  },
  collector: {
    summary: "watches the game servers (DATABASE_URL must be set)",
    details: NEEDS_DATABASE,
    load: () => import("./commands/collector.ts"),
  },
  outpost: {
    usage: "SITE_URL",
    summary: "looks at the game servers of a site elsewhere, and tells it; no database",
    details: ["Its token is in OUTPOST_TOKEN, or in the file of OUTPOST_TOKEN_FILE; admins make one on the site."],
    load: () => import("./commands/outpost.ts"),
  },
  demo: {
    summary: "pretend game servers (DATABASE_URL must be set)",
    details: NEEDS_DATABASE,
    load: () => import("./commands/demo.ts"),
  },
  "create-admin": {
    usage: "EMAIL",
    summary: "makes an admin of an email address, and prints the link to set the password",
    details: ["A member becomes an admin; the second factor is removed.", ...ON_RUNNING_SITE],
    load: () => import("./commands/create-admin.ts"),
  },
  block: {
    usage: "ADDRESS [--for 24h] [--reason TEXT] [--force], or --list",
    summary: "keeps an address or a range out of a running site; --list shows who is kept out",
    details: [
      "ADDRESS   203.0.113.7, 203.0.113.0/24, 2001:db8::/48; of a single IPv6 address its /64",
      "--for     minutes, hours or days: 30m, 24h, 7d",
      "--force   also where it is an address of this machine or of a proxy",
    ],
    load: () => import("./commands/block.ts"),
  },
  unblock: {
    usage: "ADDRESS",
    summary: "lets it in again",
    details: ON_RUNNING_SITE,
    load: () => import("./commands/unblock.ts"),
  },
  backup: {
    usage: "FILE, or --verify FILE",
    summary: "writes the whole site into a file, while it runs; --verify FILE restores one into a scratch database",
    details: [
      ...ON_RUNNING_SITE,
      "FILE must not exist yet. It holds the site's secret and everybody's data: keep it where only you can read it.",
    ],
    load: () => import("./commands/backup.ts"),
  },
  restore: {
    usage: "FILE",
    summary: "puts a backup into an empty data folder and database",
    details: ["DATA_DIR says into which folder; with DATABASE_URL, that database has to be empty."],
    load: () => import("./commands/restore.ts"),
  },
  check: {
    usage: "[--json]",
    summary: "looks at everything that can be set up wrong and says how to mend it; --json for programs",
    details: ["Run it as the user, and with the settings, of the site. Ends with 1 where something is wrong."],
    load: () => import("./commands/check.ts"),
  },
  restart: {
    summary:
      "puts fresh processes in the place of those that run, those of the version that is there now; nobody is refused",
    load: () => import("./commands/restart.ts"),
  },
  update: {
    usage: "--check PLACE",
    summary: "--check PLACE says what the release in that folder or tarball would change, and changes nothing",
    details: ["Ends with 1 where that release could not be started on this database."],
    load: () => import("./commands/update.ts"),
  },
  "change-secret": {
    usage: "[--old-one-is-lost]",
    summary: "puts another secret in the place of the site's, and keeps second factors readable; stop the site first",
    details: ["--old-one-is-lost  gives up what the old secret sealed: second factors and passwords of game servers"],
    load: () => import("./commands/change-secret.ts"),
  },
  migrate: {
    summary: "brings the tables up to date (DATABASE_URL must be set)",
    details: NEEDS_DATABASE,
    load: () => import("./commands/migrate.ts"),
  },
};

const COMMAND_LIST = [
  `Usage: ${typedCommand("<command>")}, or --version`,
  "",
  ...Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(13)} ${summary}`),
].join("\n");

const USAGE = `${COMMAND_LIST}\n\nSettings are read from the environment; --help lists them, and \`help COMMAND\` tells of one command.`;

/** Lists the commands, and every setting with its default and meaning. */
async function helpText(): Promise<string> {
  const { describeSetting, OPERATOR_SETTINGS } = await import("#config");
  const settings = OPERATOR_SETTINGS.map((setting) => {
    const { unset, help } = describeSetting(setting);
    return `  ${setting.name} (${unset})\n      ${help}`;
  });
  return [
    COMMAND_LIST,
    "",
    "Settings, from the environment (behind each what counts without it):",
    "",
    ...settings,
  ].join("\n");
}

/** Returns the command nearest to a mistyped word; undefined: none. */
async function findNearest(typed: string): Promise<string | undefined> {
  const { countSlips } = await import("./site/misspelt-settings.ts");
  const [nearest] = Object.keys(COMMANDS)
    .map((name) => ({ name, slips: name.startsWith(typed) && typed.length > 2 ? 0 : countSlips(typed, name) }))
    .filter(({ name, slips }) => slips <= Math.min(2, name.length / 3))
    .toSorted((a, b) => a.slips - b.slips);
  return nearest?.name;
}

async function main(name: string | undefined, args: string[]): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h" || (name === "help" && args.length === 0)) {
    console.log(name === undefined ? USAGE : await helpText());
    return 0;
  }
  if (name === "--version" || name === "-v") {
    console.log(`Spawnpoint ${installed.version}`);
    return 0;
  }
  const wanted = name === "help" ? (args[0] ?? "") : name;
  const command = Object.hasOwn(COMMANDS, wanted) ? COMMANDS[wanted] : undefined;
  if (command === undefined) {
    const nearest = await findNearest(wanted);
    console.error(
      `There is no command "${wanted}".${nearest ? ` Did you mean \`${typedCommand(nearest)}\`?` : ""}\n\n${USAGE}`,
    );
    return 2;
  }
  if (name === "help" || args.includes("--help") || args.includes("-h")) {
    const { usage = "", summary, details = [] } = command;
    const lines = [summary, ...details].map((line) => `  ${line}`);
    console.log([`Usage: ${typedCommand(`${wanted} ${usage}`.trim())}`, "", ...lines].join("\n"));
    return 0;
  }
  // React and others read it on loading, and are several times slower without it.
  process.env.NODE_ENV ??= args.includes("--dev") ? "development" : "production";
  // Once, in the typed process; its children inherit the environment.
  if (process.env.SPAWNPOINT_SUPERVISED !== "1") {
    findJournal();
    const { listMisspeltSettings } = await import("./site/misspelt-settings.ts");
    for (const line of listMisspeltSettings(process.env)) console.error(line);
  }
  const { run } = await command.load();
  return run(args);
}

/** For every command. */
async function databaseErrorText(error: unknown): Promise<string | null> {
  const { readConfig } = await import("#config");
  return findDatabaseErrorText(error, readConfig());
}

if (process.argv[2] === "start") beginCompiled();
keepCompiled();
registerQuickImports();

await main(process.argv[2], process.argv.slice(3)).then(exitWhenWritten, async (error: unknown) => {
  const text = isMendable(error) ? error.message : ((await databaseErrorText(error)) ?? inspect(error));
  console.error(asError(text));
  await exitWhenWritten(1);
});
