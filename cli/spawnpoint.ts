/** The command that an operator types: finds the one that was asked for, runs it, and ends with its code. */
import { outliveUnheardErrors } from "#db/driver/unhandled-rejections.ts";
import installed from "../package.json" with { type: "json" };
import { findDatabaseErrorText } from "./database-error-text.ts";
import { isMendable } from "./mendable.ts";
import { beginCompiled, keepCompiled } from "./process/compile-cache.ts";
import { exitWhenWritten } from "./process/exit-when-written.ts";
import { registerQuickImports } from "./process/quick-imports.ts";
import { typedCommand } from "./typed-command.ts";

type Command = { run(args: string[]): Promise<number> };

const COMMANDS: Record<string, { summary: string; load(): Promise<Command> }> = {
  start: {
    summary: "the whole site on this machine; --demo adds pretend game servers",
    load: () => import("./commands/start.ts"),
  },
  web: { summary: "answers visitors (DATABASE_URL must be set)", load: () => import("./commands/web.ts") },
  collector: {
    summary: "watches the game servers (DATABASE_URL must be set)",
    load: () => import("./commands/collector.ts"),
  },
  outpost: {
    summary: "looks at the game servers of a site elsewhere, and tells it; no database",
    load: () => import("./commands/outpost.ts"),
  },
  demo: { summary: "pretend game servers (DATABASE_URL must be set)", load: () => import("./commands/demo.ts") },
  "create-admin": {
    summary: "makes an admin of an email address, and prints the link to set the password",
    load: () => import("./commands/create-admin.ts"),
  },
  block: {
    summary: "keeps an address or a range out of a running site; --list shows who is kept out",
    load: () => import("./commands/block.ts"),
  },
  unblock: { summary: "lets it in again", load: () => import("./commands/unblock.ts") },
  backup: {
    summary: "writes the whole site into a file, while it runs; --verify FILE restores one into a scratch database",
    load: () => import("./commands/backup.ts"),
  },
  restore: {
    summary: "puts a backup into an empty data folder and database",
    load: () => import("./commands/restore.ts"),
  },
  check: {
    summary: "looks at everything that can be set up wrong and says how to mend it; --json for programs",
    load: () => import("./commands/check.ts"),
  },
  restart: {
    summary:
      "puts fresh processes in the place of those that run, those of the version that is there now; nobody is refused",
    load: () => import("./commands/restart.ts"),
  },
  update: {
    summary: "--check PLACE says what the release in that folder or tarball would change, and changes nothing",
    load: () => import("./commands/update.ts"),
  },
  "change-secret": {
    summary: "puts another secret in the place of the site's, and keeps second factors readable; stop the site first",
    load: () => import("./commands/change-secret.ts"),
  },
  migrate: {
    summary: "brings the tables up to date (DATABASE_URL must be set)",
    load: () => import("./commands/migrate.ts"),
  },
};

/** What commands were once called; the old word still works. */
const RENAMED: Record<string, string> = { doctor: "check" };

const COMMAND_LIST = [
  `Usage: ${typedCommand("<command>")}, or --version`,
  "",
  ...Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(13)} ${summary}`),
].join("\n");

const USAGE = `${COMMAND_LIST}\n\nSettings are read from the environment; --help lists them.`;

/** The commands, and every setting with its default and what it is. */
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

async function main(typed: string | undefined, args: string[]): Promise<number> {
  const renamed = typed !== undefined && Object.hasOwn(RENAMED, typed) ? RENAMED[typed] : undefined;
  if (renamed !== undefined) console.error(`\`spawnpoint ${typed}\` is now called \`spawnpoint ${renamed}\`.`);
  const name = renamed ?? typed;
  if (name === undefined || name === "--help" || name === "-h" || name === "help" || args.includes("--help")) {
    console.log(name === undefined ? USAGE : await helpText());
    return 0;
  }
  if (name === "--version" || name === "-v") {
    console.log(`Spawnpoint ${installed.version}`);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    console.error(`There is no command "${name}".\n\n${USAGE}`);
    return 2;
  }
  // React and others read it when they are loaded, and are several times slower without it.
  process.env.NODE_ENV ??= args.includes("--dev") ? "development" : "production";
  // Once, by whoever was typed; the processes that it starts have the same environment.
  if (process.env.SPAWNPOINT_SUPERVISED !== "1") {
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
outliveUnheardErrors();

await main(process.argv[2], process.argv.slice(3)).then(exitWhenWritten, async (error: unknown) => {
  console.error(isMendable(error) ? error.message : ((await databaseErrorText(error)) ?? error));
  await exitWhenWritten(1);
});
