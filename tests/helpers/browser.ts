/** A browser without script: it keeps cookies, posts forms from its own site, and follows nothing by itself. */
import { setTimeout as pause } from "node:timers/promises";
import type { TestDatabase } from "./database.ts";

export type Answer = { status: number; text: string; location: string | null; headers: Headers; setCookies: string[] };

/** `base`: the site's address. `ip`: where the browser seems to be, for a site that trusts one proxy. */
export function createBrowser(base: string, ip = "198.51.100.7") {
  const cookies = new Map<string, string>();

  async function request(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set("Cookie", [...cookies].map((pair) => pair.join("=")).join("; "));
    headers.set("X-Forwarded-For", ip);
    headers.set("User-Agent", "Spawnpoint test browser");
    const response = await fetch(base + path, { redirect: "manual", ...init, headers });
    const setCookies = response.headers.getSetCookie();
    for (const line of setCookies) {
      const [pair = ""] = line.split(";", 1);
      const at = pair.indexOf("=");
      if (/Max-Age=0/i.test(line)) cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return {
      status: response.status,
      text: await response.text(),
      location: response.headers.get("location"),
      headers: response.headers,
      setCookies,
    };
  }

  return {
    cookies,
    get: (path: string) => request(path),
    /** Posts a form as a browser does; `headers` in place of those of a form of the site itself. */
    post: (
      path: string,
      fields: Record<string, string>,
      headers: Record<string, string> = { "Sec-Fetch-Site": "same-origin", Origin: base },
    ) => request(path, { method: "POST", headers, body: new URLSearchParams(fields) }),
  };
}

export type Browser = ReturnType<typeof createBrowser>;

/** The data of the newest mail to an address; waits for it a little. */
export async function newestMail(
  { sql }: TestDatabase,
  to: string,
): Promise<{ template: string; locale: string; data: Record<string, string> }> {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const [mail] = await sql<{ template: string; locale: string; data: Record<string, string> }[]>`
      select template, locale, data from mails where mail_to = ${to} order by created_at desc limit 1`;
    if (mail) return mail;
    await pause(50);
  }
  throw new Error(`no mail to ${to}`);
}
