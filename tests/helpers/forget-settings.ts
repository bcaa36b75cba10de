/** What an operator has set in the shell is no business of tests and screenshots. */
import { ALL_SETTINGS } from "#config";

/** Takes the site's settings out of this process, so that no site started by it finds them. */
export function forgetSettings(): void {
  for (const name of [...ALL_SETTINGS.map((setting) => setting.name), "NODE_ENV"]) delete process.env[name];
}
