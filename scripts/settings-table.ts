/** Writes the table of settings into docs/operating.md: `npm run docs:settings`. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describeSetting, OPERATOR_SETTINGS } from "#config";

const START = "<!-- Written by `npm run docs:settings` from config/settings.ts: -->\n\n";
const END = "\n\n<!-- End of the settings. -->";

/** The table, in Markdown. */
export function settingsTable(): string {
  const rows = OPERATOR_SETTINGS.map((setting) => {
    const { unset, help } = describeSetting(setting);
    return `| \`${setting.name}\` | ${unset} | ${help} |`;
  });
  return ["| Setting | Default | |", "|---|---|---|", ...rows].join("\n");
}

if (import.meta.main) {
  const file = path.join(import.meta.dirname, "../docs/operating.md");
  const page = readFileSync(file, "utf8");
  const [before, after] = [page.slice(0, page.indexOf(START)), page.slice(page.indexOf(END))];
  writeFileSync(file, before + START + settingsTable() + after);
}
