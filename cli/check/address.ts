/** Checks the site's address from outside: does it lead here, is its certificate valid, do the proxies send correct headers. */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import path from "node:path";
import { type Config, environmentFor } from "#config";
import { askForCertificate } from "#outside/certificate.ts";
import { CHECK_HEADER, type CheckAnswer, isOwnAnswer, sealSettings, signCheck } from "#web/pages/check-answer.ts";
import { typedCommand } from "../typed-command.ts";
import { judgeClock } from "./database.ts";
import { AS_OWNER, errorText, type Finding, isShut, ok, warning, wrong } from "./finding.ts";

const LIMIT_MS = 8_000;
const DAYS_LEFT = 14;
const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;
/** From a reserved range (RFC 5737): no visitor comes from here. */
const MADE_UP = "203.0.113.99";

export async function lookAtAddress(config: Config): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(config.siteUrl);
  const file = path.join(config.dataDir, "secrets", "auth");
  // The secret proves that the answer is the site's: without it any server looks foreign.
  if (!config.authSecret && (await isShut(file)))
    return [warning("site", `${file} is shut to this user, so whether the site answers is not known`, AS_OWNER)];
  const secret = config.authSecret ?? (await readFile(file, "utf8").catch(() => "")).trim();
  const local = `http://${isIP(config.host) === 6 ? `[${config.host}]` : config.host}:${config.port}`.replace(
    /\/\/(?:0\.0\.0\.0|\[::\])/,
    "//127.0.0.1",
  );
  const [here, there, certificate] = await Promise.all([
    ask(local, secret),
    ask(config.siteUrl, secret),
    protocol === "https:" ? lookAtCertificate(hostname, Number(port || 443)) : [],
  ]);
  return [
    ...judgeLocal(local, here),
    ...judgeSettings(sealSettings(secret, environmentFor(config)), here.answer?.settings),
    ...judgeAddress(config, there),
    ...certificate,
    ...judgeProxies(there, hostname),
    ...judgeDate(there),
  ];
}

type Asked = { answer: CheckAnswer | null; status: number; date: string | null; error: string | null };

async function ask(base: string, secret: string): Promise<Asked> {
  const nonce = randomBytes(12).toString("base64url");
  try {
    const response = await fetch(`${base}/livez`, {
      headers: { [CHECK_HEADER]: signCheck(secret, nonce), "X-Forwarded-For": MADE_UP },
      redirect: "manual",
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const text = (await response.text()).slice(0, 5_000);
    const answer = readAnswer(text);
    const own = secret !== "" && answer !== null && isOwnAnswer(secret, nonce, answer);
    return { answer: own ? answer : null, status: response.status, date: response.headers.get("date"), error: null };
  } catch (error) {
    return { answer: null, status: 0, date: null, error: errorText(error) };
  }
}

function readAnswer(text: string): CheckAnswer | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "proof" in value ? (value as CheckAnswer) : null;
  } catch {
    return null;
  }
}

function judgeLocal(local: string, { answer, status, error }: Asked): Finding[] {
  if (answer) return [ok("site", `it answers at ${local}`)];
  if (error)
    return [
      wrong(
        "site",
        `nothing answers at ${local} (${error})`,
        `Start it (\`${typedCommand("start")}\`); HOST and PORT say where it listens.`,
      ),
    ];
  const fix = "Stop that program or set another PORT; or run the check with the site's own DATA_DIR and AUTH_SECRET.";
  return [wrong("site", `something else than this site answers at ${local} (status ${status})`, fix)];
}

/** Compares the running site's settings with those of this check, by their seals. */
export function judgeSettings(own: Record<string, string>, site: Record<string, string> | undefined): Finding[] {
  const others = Object.keys(own).filter((name) => site?.[name] !== undefined && site[name] !== own[name]);
  if (others.length === 0) return [];
  return [
    warning(
      "settings",
      `the running site has another ${others.join(", ")} than this check was started with`,
      "Restart the site where they were changed since its start; otherwise run the check with its settings: `set -a; . /etc/spawnpoint.env`.",
    ),
  ];
}

function judgeAddress({ siteUrl, host, anyAddress }: Config, { answer, status, error }: Asked): Finding[] {
  const { protocol, hostname } = new URL(siteUrl);
  const onlyHere = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  const findings: Finding[] = [];
  if (onlyHere) {
    const fix = "Set SITE_URL to the address that people type; links in mails and sign-in depend on it.";
    const open = !/^(?:localhost|127\.[\d.]+|::1)$/.test(host);
    const says = anyAddress
      ? "SITE_URL is not set: mails lead to this machine alone, and no other name than its own takes forms"
      : `SITE_URL leads to this machine alone: ${siteUrl}`;
    findings.push((open ? wrong : warning)("address", says, fix));
  } else if (protocol === "http:") {
    const fix =
      "Put a proxy with a certificate in front (deploy/Caddyfile, deploy/nginx.conf) and set SITE_URL to https://…";
    findings.push(wrong("address", `${siteUrl} is not encrypted: passwords and sessions can be read on the way`, fix));
  }
  if (error) {
    findings.push(
      wrong(
        "address",
        `${siteUrl} is not reached from here: ${error}`,
        "Check the name's record, the port, the firewall and the proxy in front.",
      ),
    );
  } else if (!answer) {
    const says =
      status >= 300 && status < 400
        ? `${siteUrl} leads on to another address`
        : `${siteUrl} leads to something else than this site (status ${status})`;
    findings.push(
      wrong(
        "address",
        says,
        "Let the name and the proxy lead to HOST:PORT of this site, and SITE_URL be the last address, without a redirect.",
      ),
    );
  } else if (findings.length === 0) findings.push(ok("address", `${siteUrl} leads to this site`));
  return findings;
}

/**
 * Finds proxies between browser and site by what became of a made-up header.
 * @param siteHost the requested name
 */
export function judgeProxies(
  {
    answer,
  }: {
    answer: Pick<CheckAnswer, "ip" | "forwarded_for" | "peer" | "trust_proxy"> | null;
  },
  siteHost: string,
): Finding[] {
  if (!answer) return [];
  const hops = (answer.forwarded_for ?? "").split(",").map((hop) => hop.trim());
  const passedOn = hops[0] === MADE_UP;
  const proxies = hops.filter((hop) => hop !== "").length - (passedOn ? 1 : 0);
  const trusted = answer.trust_proxy;
  if (trusted > proxies) {
    return [
      wrong(
        "proxies",
        `TRUST_PROXY is ${trusted}, but ${proxies === 0 ? "no proxy tells" : `only ${proxies} of them ${proxies === 1 ? "tells" : "tell"}`} the visitor's address: anybody can choose theirs and pass every limit`,
        proxies === 0
          ? "Set TRUST_PROXY=0, or let the proxy add X-Forwarded-For (deploy/nginx.conf)."
          : `Set TRUST_PROXY=${proxies}.`,
      ),
    ];
  }
  if (trusted < proxies) {
    return [
      wrong(
        "proxies",
        `${proxies} ${proxies === 1 ? "proxy stands" : "proxies stand"} in front, but TRUST_PROXY is ${trusted}: all visitors count as one address (${answer.ip}) and share one limit`,
        `Set TRUST_PROXY=${proxies}.`,
      ),
    ];
  }
  if (proxies === 0 && LOOPBACK.test(answer.peer) && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(siteHost)) {
    return [
      warning(
        "proxies",
        `a program on this machine stands in front and tells no visitor's address: all count as ${answer.ip}`,
        "Let it add X-Forwarded-For (deploy/nginx.conf), and set TRUST_PROXY=1.",
      ),
    ];
  }
  return [
    ok(
      "proxies",
      trusted === 0
        ? "none in front, and none is believed"
        : `${trusted} in front and believed; you come from ${answer.ip}`,
    ),
  ];
}

function judgeDate({ date }: Asked): Finding[] {
  const there = Date.parse(date ?? "");
  // The header has whole seconds; adding half a second is the best guess.
  return Number.isNaN(there)
    ? []
    : [judgeClock("clock outside", "the clock at the site's address", (there + 500 - Date.now()) / 1000)];
}

async function lookAtCertificate(host: string, port: number): Promise<Finding[]> {
  try {
    const { refused, ends_at } = await askForCertificate(host, port, LIMIT_MS);
    return [judgeCertificate(refused, ends_at.getTime())];
  } catch (error) {
    return [wrong("certificate", errorText(error), "Let the proxy in front speak TLS on that port.")];
  }
}

/** @param error why browsers would refuse it; null: they accept it. @param ends in ms */
export function judgeCertificate(error: string | null, ends: number, now = Date.now()): Finding {
  const days = Math.floor((ends - now) / 86_400_000);
  const renew = "Renew it (certbot renew; Caddy does by itself), and let the proxy read it anew.";
  if (days < 0) return wrong("certificate", `it ended ${-days} days ago`, renew);
  if (error !== null)
    return wrong(
      "certificate",
      `browsers refuse it: ${error}`,
      "Get one for this very name from an authority that browsers know, with its whole chain.",
    );
  if (days < DAYS_LEFT) return warning("certificate", `it ends in ${days} days`, renew);
  return ok("certificate", `good for ${days} more days`);
}
