// Measures how long a form was open by a sealed time in its page: detects programs that send within a blink, without a
// script or a puzzle.
import { createHmac, timingSafeEqual } from "node:crypto";

const sealOf = (secret: string, moment: string) =>
  createHmac("sha256", secret).update(`form-opened:${moment}`).digest("base64url");

/** Makes the value of the form's hidden field. `now` in milliseconds. */
export function sealFormMoment(secret: string, now = Date.now()): string {
  return `${now}.${sealOf(secret, String(now))}`;
}

/** Gets the milliseconds since the form was made; null if the site didn't seal the value. */
export function readFormAge(secret: string, value: string, now = Date.now()): number | null {
  const [, moment, seal] = /^(\d{1,15})\.([\w-]{43})$/.exec(value) ?? [];
  if (moment === undefined || seal === undefined) return null;
  if (!timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(secret, moment)))) return null;
  return now - Number(moment);
}
