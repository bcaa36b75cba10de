// How long a form was open: its page carries a sealed moment, so that what is sent by a program within a blink is told apart
// without script and without a puzzle.
import { createHmac, timingSafeEqual } from "node:crypto";

const sealOf = (secret: string, moment: string) =>
  createHmac("sha256", secret).update(`form-opened:${moment}`).digest("base64url");

/** The value for the form's hidden field. `now` in milliseconds. */
export function sealFormMoment(secret: string, now = Date.now()): string {
  return `${now}.${sealOf(secret, String(now))}`;
}

/** Milliseconds since the form was made, or null when the value is none of ours. */
export function readFormAge(secret: string, value: string, now = Date.now()): number | null {
  const [, moment, seal] = /^(\d{1,15})\.([\w-]{43})$/.exec(value) ?? [];
  if (moment === undefined || seal === undefined) return null;
  if (!timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(secret, moment)))) return null;
  return now - Number(moment);
}
