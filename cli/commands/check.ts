/** `spawnpoint check`: checks everything that an operator can get wrong, and says how to fix it. */
import { ConfigError, readConfig } from "#config";
import { lookAtAddress } from "../check/address.ts";
import { lookAtDatabase } from "../check/database.ts";
import { type Finding, guard, wrong } from "../check/finding.ts";
import { lookAtMachine } from "../check/machine.ts";
import { lookAtMail } from "../check/mail.ts";
import { lookAtNetwork } from "../check/network.ts";

const LIMIT_MS = 20_000;
const MARKS = { ok: "ok     ", warning: "warning", wrong: "WRONG  " };

/** Prints a line for each check; returns 1 if something is wrong, else 0. `--json`: an array of findings. */
export async function run(args: string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== "--json");
  if (unknown !== undefined) {
    console.error(`\`spawnpoint check\` knows --json, not "${unknown}".`);
    return 2;
  }
  const findings = await look();
  if (args.includes("--json")) console.log(JSON.stringify(findings, null, 2));
  else for (const line of findings.flatMap(linesOf)) console.log(line);
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length;
  if (!args.includes("--json"))
    console.log(`\n${count("ok")} ok, ${count("warning")} warnings, ${count("wrong")} wrong`);
  return count("wrong") > 0 ? 1 : 0;
}

async function look(): Promise<Finding[]> {
  try {
    const config = readConfig();
    const found = await Promise.all([
      guard("machine", LIMIT_MS, () => lookAtMachine(config)),
      guard("database", LIMIT_MS, () => lookAtDatabase(config)),
      guard("address", LIMIT_MS, () => lookAtAddress(config)),
      guard("mail", LIMIT_MS, () => lookAtMail(config)),
      guard("network", LIMIT_MS, () => lookAtNetwork(config)),
    ]);
    return found.flat();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [wrong("settings", error.message, "Mend the setting that it names; docs/operating.md lists them all.")];
  }
}

function linesOf({ check, state, says, fix }: Finding): string[] {
  const line = `${MARKS[state]}  ${check.padEnd(14)} ${clean(says)}`;
  return fix === undefined ? [line] : [line, `${" ".repeat(24)} → ${clean(fix)}`];
}

/** Removes control characters, which command a terminal: some text comes from other machines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that may not pass
const clean = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, " ");
