/** Decrypts the secrets for game servers, if the site's secret is on this machine. */
import { openSecrets } from "#domain/game-servers/adapter-secrets.ts";
import { readCandidates } from "#domain/site/secret.ts";
import type { Outside } from "./ask.ts";

/** The secret may change while a collector runs: after a failure it is read again, at most this often. */
const LOOK_AGAIN_MS = 5_000;

/** Places of the site's secret; absent: not on this machine. */
export type SecretPlace = { authSecret?: string | undefined; dataDir?: string };

/** Creates the decrypter; it reads the secret on first use. */
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
