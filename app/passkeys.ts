// Passkeys in the browser: signing in with one, and adding one. Only script can do it.

/** `number`: a passkey belongs to a name. `not_secure`: browsers want TLS, but on their own machine. `instead`: where they work. */
export type NoPasskeys = { reason: "number" | "not_secure"; instead: string | null };

/** Why nobody can use a passkey at an address of the site; null: whoever has one can. */
export function whyNoPasskeys(origin: string): NoPasskeys | null {
  const { protocol, hostname, port } = new URL(origin);
  if (/^[\d.]+$|^\[/.test(hostname)) {
    const ownMachine = hostname.startsWith("127.") || hostname === "[::1]";
    return { reason: "number", instead: ownMachine ? new URL(`${protocol}//localhost:${port}`).origin : null };
  }
  return protocol === "https:" || hostname === "localhost" ? null : { reason: "not_secure", instead: null };
}

/** `unanswered`: the connection was lost, or the site could not answer. */
export type PasskeyOutcome = "done" | "cancelled" | "refused" | "unanswered";

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

/** Makes a passkey for the member who is signed in, within fifteen minutes of the last sign-in. */
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
  const asked = await answerOf(fetch(`/api/auth/passkey/${ask}`));
  if (!asked?.ok) return asked ? "refused" : "unanswered";
  const options = await asked.json().catch(() => null);
  if (options === null) return "unanswered";
  let credential: Credential | null;
  try {
    credential = await use(options);
  } catch {
    // The browser tells nobody whether the person said no, was too slow, or has none.
    return "cancelled";
  }
  if (!(credential instanceof PublicKeyCredential)) return "cancelled";
  const answer = await answerOf(
    fetch(`/api/auth/passkey/${verify}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ response: credential.toJSON() }),
    }),
  );
  return answer === null ? "unanswered" : answer.ok ? "done" : "refused";
}

/** Null: none came, or only that the site cannot answer now. */
const answerOf = (asked: Promise<Response>): Promise<Response | null> =>
  asked.then(
    (response) => (response.status >= 500 ? null : response),
    () => null,
  );
