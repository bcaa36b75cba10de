/** Sends an avatar from a test's browser. */
import type { AccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";

/** Sends a file as the crop dialog does. */
export function sendAvatar(site: AccountSite, at: Browser, bytes: Buffer, headers: Record<string, string> = {}) {
  const body = new FormData();
  body.set("avatar", new Blob([Uint8Array.from(bytes)], { type: "image/png" }), "me.png");
  return fetch(`${site.base}/user/settings/avatar`, {
    method: "POST",
    redirect: "manual",
    headers: { Cookie: cookiesOf(at), "Sec-Fetch-Site": "same-origin", Origin: site.base, ...headers },
    body,
  });
}
export const cookiesOf = (at: Browser) => [...at.cookies].map((pair) => pair.join("=")).join("; ");
