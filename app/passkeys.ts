// Passkeys in the browser: signing in with one, and adding one. Only script can do it.

export type PasskeyOutcome = "done" | "cancelled" | "refused";

/** Whether this browser can, at this address: a passkey belongs to a name, never to a bare number. */
export const hasPasskeys = (): boolean =>
  "PublicKeyCredential" in window &&
  "parseRequestOptionsFromJSON" in PublicKeyCredential &&
  !/^[\d.]+$|:/.test(location.hostname);

/** Asks for a passkey and signs in with it. The caller loads the next page. */
export async function signInWithPasskey(): Promise<PasskeyOutcome> {
  return ceremony<PublicKeyCredentialRequestOptionsJSON>(
    "generate-authenticate-options",
    "verify-authentication",
    (options) => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  );
}

/** Makes a passkey for the member who is signed in, within ten minutes of the last sign-in. */
export async function addPasskey(): Promise<PasskeyOutcome> {
  return ceremony<PublicKeyCredentialCreationOptionsJSON>(
    "generate-register-options",
    "verify-registration",
    (options) => navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );
}

async function ceremony<T>(
  ask: string,
  verify: string,
  use: (options: T) => Promise<Credential | null>,
): Promise<PasskeyOutcome> {
  const asked = await fetch(`/api/auth/passkey/${ask}`);
  if (!asked.ok) return "refused";
  let credential: Credential | null;
  try {
    credential = await use(await asked.json());
  } catch {
    // The browser tells nobody whether the person said no, was too slow, or has none.
    return "cancelled";
  }
  if (!(credential instanceof PublicKeyCredential)) return "cancelled";
  const answer = await fetch(`/api/auth/passkey/${verify}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ response: credential.toJSON() }),
  });
  return answer.ok ? "done" : "refused";
}
