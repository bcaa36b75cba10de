/** Validates and converts the texts of settings; `{example}` is replaced by the setting's example. */
import { isIP } from "node:net";
import path from "node:path";
import { z } from "zod";

export const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
};

/** Set only by the site's own processes. */
export const flag = z.enum(["0", "1"], "must be 0 or 1").transform((value) => value === "1");

export const oneOf = <const Word extends string>(words: readonly Word[]) =>
  z.enum(words, `must be one of ${words.join(", ")}`);

/** Becomes an absolute path. */
export const folder = z.string().transform((value) => path.resolve(value));

export const hostName = z
  .string()
  .refine(
    (value) => /^[\w.:-]+$/.test(value) && URL.canParse(`http://${value.includes(":") ? `[${value}]` : value}`),
    "must be an address of this machine or a host name",
  );

/** An origin without a slash at its end. */
export const webOrigin = z
  .string()
  .refine((value) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    return url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.hash;
  }, "must be an http or https address without a path, such as {example}")
  .transform((value) => new URL(value).origin);

/** In a name or a password these would be read as parts of the address; the message repeats no part of it, which may be secret. */
const ESCAPES = "; in its name and password @ is written %40, : %3A, / %2F, # %23, ? %3F and % %25";

/** Checks whether each % begins a valid escape, in all parts of an address that are decoded. */
function isDecodable(value: string): boolean {
  const { username, password, pathname, hostname } = new URL(value);
  try {
    return [username, password, pathname, hostname].every((part) => decodeURIComponent(part) !== null);
  } catch {
    return false;
  }
}

/** @param what it is, after "must be" */
export const addressWithPassword = (scheme: RegExp, what: string) =>
  z
    .string()
    .refine(
      (value) => scheme.test(value) && URL.canParse(value),
      `must be ${what} address, such as {example}${ESCAPES}`,
    )
    .refine((value) => !URL.canParse(value) || isDecodable(value), `has a % that begins no escape${ESCAPES}`);

export const mailAddress = z
  .string()
  .max(254)
  .regex(
    /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i,
    "must be one email address alone, such as {example} (the site's name is put before it)",
  );

const cidr = z
  .string()
  .transform((value) => (value.includes("/") ? value : `${value}/${isIP(value) === 6 ? 128 : 32}`))
  .refine((value) => {
    const [address = "", bits = ""] = value.split("/");
    const family = isIP(address);
    return family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32);
  }, "must be address ranges with commas between, such as {example}");

/** Each becomes `address/bits`. */
export const cidrList = z
  .string()
  .transform((value) => (value === "" ? [] : value.split(",").map((part) => part.trim())))
  .pipe(z.array(cidr));

/** Names of hosts, or `*.` before a suffix; or the one word "none", which stays in the list: it is no host. */
export const hostList = z
  .string()
  .transform((value) => value.split(",").map((part) => part.trim().toLowerCase()))
  .refine(
    (hosts) =>
      (hosts.length === 1 && hosts[0] === "none") ||
      hosts.every((host) => /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(host)),
    "must be names of hosts with commas between, such as {example}, or none",
  );

export const secret = z.string().min(32, "must be at least 32 characters; `openssl rand -base64 32` makes one");

export const storeAddress = z
  .string()
  .regex(/^https?:\/\/[\w.:[\]-]+(?:\/[\w.-]+)*\/?$/, "must be the address of the store, such as {example}")
  .refine((value) => URL.canParse(value), "must be an address");

/** The issuer of an OpenID Connect provider, exactly as it calls itself. Secrets go there: plain http only to this machine. */
export const issuerAddress = z.string().refine((value) => {
  const url = URL.parse(value);
  if (!url || url.username || url.search || url.hash) return false;
  return (
    url.protocol === "https:" || (url.protocol === "http:" && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname))
  );
}, "must be an https address without a query, such as {example}");

/** Discord's own. */
export const DISCORD_API = "https://discord.com/api/v10";

/** Discord's, or one on this machine, for tests: the server there receives the addresses of webhooks, which are secret. */
export const discordApi = z
  .string()
  .regex(
    /^(?:https:\/\/discord\.com\/api\/v10|http:\/\/127\.0\.0\.1:\d{1,5})$/,
    "must be Discord's own or one on loopback",
  );
