/** An authenticator in software (WebAuthn level 3): makes a passkey for a site and signs the site's challenges with it. */
import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign, type webcrypto } from "node:crypto";

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const CREDENTIAL_INCLUDED = 0x40;

/** What a passkey is, so that a test can store it. */
export type StoredPasskey = { id: string; private_key: webcrypto.JsonWebKey };
type Asked = { challenge: string };
/** How it answers: at which page, for which relying party, and whether it checked its owner's finger or PIN. */
type Way = { origin: string; rpId: string; verified?: boolean; counter?: number };

/** Makes a passkey with a key of ES256. */
export function createPasskey(): StoredPasskey {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { id: randomBytes(16).toString("base64url"), private_key: privateKey.export({ format: "jwk" }) };
}

const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest();

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function authenticatorData({ rpId, verified = true, counter = 0 }: Way, credential: Buffer | null): Buffer {
  const flags = USER_PRESENT | (verified ? USER_VERIFIED : 0) | (credential ? CREDENTIAL_INCLUDED : 0);
  const head = Buffer.alloc(5);
  head.writeUInt8(flags);
  head.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rpId), head, credential ?? Buffer.alloc(0)]);
}

/** The new key as authenticators describe it: AAGUID, id, and the public key in COSE (RFC 9052), here of ES256. */
function attestedCredential({ id, private_key }: StoredPasskey): Buffer {
  const rawId = Buffer.from(id, "base64url");
  const length = Buffer.alloc(2);
  length.writeUInt16BE(rawId.length);
  const coordinate = (name: "x" | "y") => Buffer.from(String(private_key[name]), "base64url");
  const cose = [
    Buffer.from("a501020326200121" + "5820", "hex"),
    coordinate("x"),
    Buffer.from("225820", "hex"),
    coordinate("y"),
  ];
  return Buffer.concat([Buffer.alloc(16), length, rawId, ...cose]);
}

const credential = (id: string, response: Record<string, unknown>) => ({
  id,
  rawId: id,
  type: "public-key",
  clientExtensionResults: {},
  response,
});

/** Text in CBOR (RFC 8949), of at most 23 characters. */
const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);

/**
 * Answers the options for a new passkey. `maker`: a statement of its maker, in this format; one with `x5c` has a certificate.
 * Without, there is no statement.
 */
export function answerRegistration(
  passkey: StoredPasskey,
  { challenge }: Asked,
  way: Way,
  maker: { format: string; x5c: boolean } = { format: "none", x5c: false },
) {
  const data = authenticatorData(way, attestedCredential(passkey));
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length);
  const statement = maker.x5c
    ? [Buffer.from([0xa1]), cborText("x5c"), Buffer.from("814130", "hex")]
    : [Buffer.from([0xa0])];
  const attestation = Buffer.concat([
    Buffer.from([0xa3]),
    cborText("fmt"),
    cborText(maker.format),
    cborText("attStmt"),
    ...statement,
    cborText("authData"),
    Buffer.from([0x59]),
    length,
    data,
  ]);
  return credential(passkey.id, {
    clientDataJSON: clientData("webauthn.create", challenge, way.origin).toString("base64url"),
    attestationObject: attestation.toString("base64url"),
    transports: ["internal"],
  });
}

/** Answers the options for a login. */
export function answerLogin(passkey: StoredPasskey, { challenge }: Asked, way: Way) {
  const client = clientData("webauthn.get", challenge, way.origin);
  const data = authenticatorData(way, null);
  const key = createPrivateKey({ key: passkey.private_key, format: "jwk" });
  return credential(passkey.id, {
    clientDataJSON: client.toString("base64url"),
    authenticatorData: data.toString("base64url"),
    signature: sign("sha256", Buffer.concat([data, sha256(client)]), key).toString("base64url"),
  });
}
