// Makes and checks what browsers exchange about passkeys (WebAuthn level 3). A passkey replaces the password and the second factor,
// so every answer must carry the device's check of its owner.
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { COSEALG, decodeAttestationObject, isoBase64URL } from "@simplewebauthn/server/helpers";
import { eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { passkeys } from "#db/schema/index.ts";
import { type Origin, recordAudit } from "../site/audit.ts";
import { claimOnce } from "./one-time-tokens.ts";
import { tellSecurityChange } from "./security-mails.ts";
import { lockUser } from "./users.ts";

/** How long a browser may take to answer a challenge. */
export const CHALLENGE_S = 5 * 60;

/** The kinds of keys that every browser knows; the library's own choice makes Node warn of an experiment. */
const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];

/** The site as a browser sees it: the passkeys of `origin` belong to its host name. */
export type RelyingParty = { origin: string; name: string };

const idOf = ({ origin }: Pick<RelyingParty, "origin">) => new URL(origin).hostname;

/** Lists a user's passkeys as browsers need them. */
async function listCredentials(db: Db, userId: string) {
  const rows = await db
    .select({ id: passkeys.credentialID, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, userId));
  return rows.map(({ id, transports }) => ({ id, transports: transportsOf(transports) }));
}

const transportsOf = (text: string | null) => text?.split(",").filter(Boolean) ?? [];

/** Makes the options for a login. @param userId whose passkeys it asks for; null: the browser offers all of this site */
export async function loginOptions(db: Db, site: RelyingParty, userId: string | null) {
  const allowCredentials = userId === null ? [] : await listCredentials(db, userId);
  return generateAuthenticationOptions({
    rpID: idOf(site),
    userVerification: "required",
    ...(allowCredentials.length > 0 && { allowCredentials }),
  });
}

/** Makes the options for a member's new passkey. */
export async function registrationOptions(db: Db, site: RelyingParty, member: { user_id: string; email: string }) {
  return generateRegistrationOptions({
    rpID: idOf(site),
    rpName: site.name,
    userName: member.email,
    userDisplayName: member.email,
    attestationType: "none",
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: await listCredentials(db, member.user_id),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** Checks the answer to a login's challenge and uses the challenge up. Returns the passkey's owner; null: refused. */
export async function consumeLogin(
  db: Db,
  { origin }: Pick<RelyingParty, "origin">,
  challenge: string,
  response: AuthenticationResponseJSON,
): Promise<string | null> {
  const [key] = await db.select().from(passkeys).where(eq(passkeys.credentialID, response.id));
  if (!key) return null;
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: idOf({ origin }),
    requireUserVerification: true,
    credential: {
      id: key.credentialID,
      publicKey: Uint8Array.from(Buffer.from(key.publicKey, "base64")),
      counter: key.counter,
      transports: transportsOf(key.transports),
    },
    // It throws for every answer that isn't a browser's to this challenge.
  }).catch(() => null);
  if (!checked?.verified) return null;
  return db.transaction(async (tx) => {
    if (!(await claimOnce(tx, "passkey", challenge, CHALLENGE_S))) return null;
    const { newCounter: counter } = checked.authenticationInfo;
    await tx.update(passkeys).set({ counter }).where(eq(passkeys.id, key.id));
    return key.userId;
  });
}

/**
 * Checks the answer to the challenge for a new passkey, uses the challenge up, stores the passkey and notifies its owner. Returns
 * its id; null: refused.
 */
export async function consumeRegistration(
  db: Db,
  { origin }: Pick<RelyingParty, "origin">,
  member: { user_id: string; origin: Origin },
  given: { challenge: string; response: RegistrationResponseJSON; name: string | null },
): Promise<string | null> {
  const { challenge, response, name } = given;
  const checked = await checkRegistration(origin, challenge, response).catch(() => null);
  if (!checked?.verified) return null;
  return db.transaction(async (tx) => {
    await lockUser(tx, member.user_id);
    if (!(await claimOnce(tx, "passkey", challenge, CHALLENGE_S))) return null;
    return addPasskey(tx, member, checked.registrationInfo, { name, transports: response.response.transports ?? [] });
  });
}

/**
 * Refuses certificates of a device's maker, which the site doesn't request: checking them would make the site request addresses that they
 * name.
 */
async function checkRegistration(
  origin: string,
  challenge: string,
  response: RegistrationResponseJSON,
): Promise<VerifiedRegistrationResponse | null> {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.response.attestationObject));
  const plain = ["none", "packed"].includes(attestation.get("fmt")) && !attestation.get("attStmt").get("x5c");
  if (!plain) return null;
  return verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: idOf({ origin }),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

type Registered = Pick<
  NonNullable<VerifiedRegistrationResponse["registrationInfo"]>,
  "credential" | "credentialDeviceType" | "credentialBackedUp" | "aaguid"
>;

/** Stores a passkey with its audit row and mail, within the caller's transaction. Returns its id; null: it is stored already. */
export async function addPasskey(
  tx: Db,
  { user_id, origin }: { user_id: string; origin: Origin },
  { credential, credentialDeviceType, credentialBackedUp, aaguid }: Registered,
  { name, transports }: { name: string | null; transports: string[] },
): Promise<string | null> {
  const [made] = await tx
    .insert(passkeys)
    .values({
      userId: user_id,
      name,
      credentialID: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString("base64"),
      counter: credential.counter,
      deviceType: credentialDeviceType,
      backedUp: credentialBackedUp,
      transports: transports.join(","),
      aaguid,
    })
    .onConflictDoNothing()
    .returning({ id: passkeys.id });
  if (!made) return null;
  await recordAudit(tx, { what: "passkey-added", actor_id: user_id, origin });
  await tellSecurityChange(tx, { user_id, what: "passkey-added", origin });
  return made.id;
}
