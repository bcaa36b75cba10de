/** Makes self-signed certificates, as games do: valid for an hour. */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** Encodes a piece of DER: tag, length, content. */
function piece(tag: number, ...parts: Buffer[]): Buffer {
  const inside = Buffer.concat(parts);
  const { length } = inside;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), inside]);
}

const sequence = (...parts: Buffer[]): Buffer => piece(0x30, ...parts);
const identifier = (hex: string): Buffer => piece(0x06, Buffer.from(hex, "hex"));
/** Encodes a time for a certificate: YYMMDDhhmmssZ. */
const moment = (at: number): Buffer =>
  piece(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replace(/[-:T]/g, "")}Z`));

const ECDSA_WITH_SHA256 = sequence(identifier("2a8648ce3d040302"));
const COMMON_NAME = "550403";
const HOUR_MS = 3_600_000;

/** Returns key and certificate as PEM, for `name` (RFC 5280, required fields only). */
export function makeSelfSigned(name = "pretend"): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const named = sequence(piece(0x31, sequence(identifier(COMMON_NAME), piece(0x0c, Buffer.from(name)))));
  const serial = randomBytes(8);
  serial[0] = 1;
  const said = sequence(
    piece(0xa0, piece(0x02, Buffer.from([2]))),
    piece(0x02, serial),
    ECDSA_WITH_SHA256,
    named,
    sequence(moment(Date.now() - HOUR_MS), moment(Date.now() + HOUR_MS)),
    named,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = piece(0x03, Buffer.from([0]), sign("sha256", said, privateKey));
  const der = sequence(said, ECDSA_WITH_SHA256, signature);
  const lines = der.toString("base64").replace(/.{64}(?=.)/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
