// The site's key pair for web push: created on first use, sealed with the site's secret, shared by all processes.
import { eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { pushKeys } from "#db/schema/index.ts";
import { makePushKeys } from "#outside/web-push.ts";
import { openSealed, seal, sealingKey } from "../site/sealing.ts";

/** In base64url. */
export type PushKeys = { publicKey: string; privateKey: string };

const NAME = "private key";
const keyFrom = (siteSecret: string): Buffer => sealingKey(siteSecret, "keys of web push");

/**
 * Returns the key pair; creates it if missing. Replaces one that this secret can't open: the old secret is lost for good, and with
 * it every subscription for it; browsers subscribe again when the user presses the button.
 */
export async function openPushKeys(db: Db, siteSecret: string): Promise<PushKeys> {
  const key = keyFrom(siteSecret);
  const read = async (): Promise<{ publicKey: string; privateKey: string | null } | null> => {
    const [row] = await db.select().from(pushKeys);
    return row ? { publicKey: row.public_key, privateKey: openSealed(key, NAME, row.private_key_sealed) } : null;
  };
  const found = await read();
  if (found?.privateKey) return { publicKey: found.publicKey, privateKey: found.privateKey };
  const made = makePushKeys();
  const sealed = { public_key: made.publicKey, private_key_sealed: seal(key, NAME, made.privateKey) };
  // If several processes find none, one writes; if several can't open it, one replaces that very pair.
  if (found) await db.update(pushKeys).set(sealed).where(eq(pushKeys.public_key, found.publicKey));
  else await db.insert(pushKeys).values(sealed).onConflictDoNothing();
  const now = await read();
  if (!now?.privateKey) throw new Error("the keys of web push were neither written nor found");
  return { publicKey: now.publicKey, privateKey: now.privateKey };
}

/** Reseals the pair with another site secret; one that `from` can't open stays, and is replaced at its next use. */
export async function resealPushKeys(db: Db, from: string, to: string): Promise<void> {
  for (const { public_key, private_key_sealed } of await db.select().from(pushKeys).for("update")) {
    const opened = openSealed(keyFrom(from), NAME, private_key_sealed);
    if (opened === null) continue;
    await db
      .update(pushKeys)
      .set({ private_key_sealed: seal(keyFrom(to), NAME, opened) })
      .where(eq(pushKeys.public_key, public_key));
  }
}
