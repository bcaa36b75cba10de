/** Opens what game servers are shown, with the site's secret as far as it is on this machine. */
import { openSecrets } from "#domain/game-servers/adapter-secrets.ts";
import { readCandidates } from "#domain/site/secret.ts";
import type { Outside } from "./ask.ts";

/** The secret may be changed while a collector runs: where it opens nothing, it is looked for again, this often at most. */
const LOOK_AGAIN_MS = 5_000;

/** Where the site's secret may be; absent: not on this machine. */
export type SecretPlace = { authSecret?: string | undefined; dataDir?: string };

/** Makes the opener; it looks for the secret when it first needs it. */
export function createSecretOpener({ authSecret, dataDir }: SecretPlace): NonNullable<Outside["openSecrets"]> {
  let candidates: string[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;

  const look = async (): Promise<void> => {
    lookedAt = performance.now();
    if (dataDir === undefined && !authSecret) return;
    candidates = await readCandidates({ authSecret, dataDir: dataDir ?? "" }).catch(() => []);
  };

  return async (sealed) => {
    for (const again of [false, true]) {
      if (again) {
        if (performance.now() - lookedAt < LOOK_AGAIN_MS) return null;
        await look();
      }
      for (const secret of candidates) {
        const opened = openSecrets(secret, sealed);
        if (opened) return opened;
      }
    }
    return null;
  };
}
