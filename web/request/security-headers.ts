// The headers that every answer carries, whoever makes it.
import { createHash } from "node:crypto";

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** The headers by lower-case name (so that an answer's own can take the place of one), for a site at this address: HSTS only where it is served over HTTPS. */
export function securityHeaders(siteUrl: string): Record<string, string> {
  const https = siteUrl.startsWith("https:");
  return {
    "content-security-policy": contentSecurityPolicy([], https),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy":
      "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()",
    ...(https ? { "strict-transport-security": "max-age=63072000; includeSubDomains" } : {}),
  };
}

function contentSecurityPolicy(scriptHashes: string[], https: boolean): string {
  const hashes = scriptHashes.map((hash) => ` 'sha256-${hash}'`).join("");
  return [
    ...CSP.map((line) => (line.startsWith("script-src") ? line + hashes : line)),
    ...(https ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

/**
 * Makes a rendered page safe to keep: the inline scripts that carry our nonce are allowed by their hash, and the nonce goes.
 * A script that got into the page by any other way has no nonce, gets no hash, and does not run.
 */
export function sealInlineScripts(html: string, nonce: string, siteUrl: string): { html: string; policy: string } {
  const hashes = new Set<string>();
  const mark = ` nonce="${nonce}"`;
  const sealed = html.replace(/<script([^>]*)>([\s\S]*?)<\/script>/g, (whole, attributes: string, code: string) => {
    if (!attributes.includes(mark)) return whole;
    if (code) hashes.add(createHash("sha256").update(code).digest("base64"));
    return `<script${attributes.replace(mark, "")}>${code}</script>`;
  });
  // Preloads and the data script's element carry the mark too.
  return {
    html: sealed.replaceAll(mark, ""),
    policy: contentSecurityPolicy([...hashes], siteUrl.startsWith("https:")),
  };
}
