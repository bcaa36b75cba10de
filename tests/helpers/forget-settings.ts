/** What an operator has set in the shell is no business of tests and screenshots. */

const SETTINGS = ["PORT", "HOST", "SITE_URL", "DATA_DIR", "DATABASE_URL", "POLL_INTERVAL_S", "PROBE_ALLOW_CIDRS"];

/** Takes the site's settings out of this process, so that no site started by it finds them. */
export function forgetSettings(): void {
  for (const name of [...SETTINGS, "LOG_LEVEL", "NODE_ENV", "SPAWNPOINT_STARTED_BY"]) delete process.env[name];
}
