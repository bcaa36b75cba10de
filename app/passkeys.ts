// Passkeys in the browser: log in with one, or add one. Both need script.

/** `number`: passkeys need a host name. `not_secure`: browsers require TLS, except on localhost. `instead`: one that works. */
export type NoPasskeys = { reason: "number" | "not_secure"; instead: string | null };

/** Returns why passkeys can't work at an address of the site; null if they can. */
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

/** True if this browser can use passkeys at this address: they need a host name, never a bare IP address. */
export const hasPasskeys = (): boolean =>
  "PublicKeyCredential" in window &&
  "parseRequestOptionsFromJSON" in PublicKeyCredential &&
  !/^[\d.]+$|:/.test(location.hostname);

/** Requests a passkey and logs in with it. The caller loads the next page. */
export async function signInWithPasskey(): Promise<PasskeyOutcome> {
  return ceremony<PublicKeyCredentialRequestOptionsJSON>(
    "generate-authenticate-options",
    "verify-authentication",
    (options) => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  );
}

/** Creates a passkey for the logged-in member, within fifteen minutes of the last login. */
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
    // Browsers don't say whether the person refused, was too slow or has no passkey.
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

/** Returns the answer; null if there was none or the site is unavailable. */
const answerOf = (asked: Promise<Response>): Promise<Response | null> =>
  asked.then(
    (response) => (response.status >= 500 ? null : response),
    () => null,
  );
