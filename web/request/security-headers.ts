// The security headers of every response.
import { createHash } from "node:crypto";
import type { Config } from "#config";

/** The settings that the headers depend on. */
export type HeaderFacts = Pick<Config, "siteUrl" | "hstsSubdomains"> & Partial<Pick<Config, "discord">>;

const SCRIPTS = "script-src 'self'";
const CSP = [
  "default-src 'none'",
  SCRIPTS,
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** The headers by lower-case name, so that a response can replace one. HSTS is sent only where the site is served over HTTPS. */
export function securityHeaders({ siteUrl, hstsSubdomains, discord }: HeaderFacts): Record<string, string> {
  const https = siteUrl.startsWith("https:");
  const policy = [
    ...CSP,
    // Chromium checks where the response to a form redirects to, as well.
    `form-action 'self'${discord ? " https://discord.com" : ""}`,
    ...(https ? ["upgrade-insecure-requests"] : []),
  ];
  return {
    "content-security-policy": policy.join("; "),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy":
      "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()",
    ...(https && { "strict-transport-security": `max-age=63072000${hstsSubdomains ? "; includeSubDomains" : ""}` }),
  };
}

/**
 * Makes a rendered page safe to cache: allows the inline scripts that carry the site's nonce by their hash and removes the
 * nonce. An injected script has no nonce, gets no hash, and does not run.
 * @param policy the site's content security policy, without hashes
 */
export function sealInlineScripts(html: string, nonce: string, policy: string): { html: string; policy: string } {
  const sources = new Set<string>();
  const mark = ` nonce="${nonce}"`;
  const sealed = html.replace(/<script([^>]*)>([\s\S]*?)<\/script>/g, (whole, attributes: string, code: string) => {
    if (!attributes.includes(mark)) return whole;
    if (code) sources.add(`'sha256-${createHash("sha256").update(code).digest("base64")}'`);
    return `<script${attributes.replace(mark, "")}>${code}</script>`;
  });
  // Preloads and the data script's element carry the nonce too.
  return {
    html: sealed.replaceAll(mark, ""),
    policy: policy.replace(SCRIPTS, [SCRIPTS, ...sources].join(" ")),
  };
}
