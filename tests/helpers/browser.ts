/** A browser without script: it keeps cookies, posts forms from its own site, and follows nothing by itself. */

export type Answer = { status: number; text: string; location: string | null; headers: Headers; setCookies: string[] };

/**
 * `base`: where the site listens. `ip`: where the browser seems to be, for a site that trusts one proxy. `origin`: the
 * address that the site believes in, where it is another.
 */
export function createBrowser(base: string, ip = "198.51.100.7", origin = base) {
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
    /** Sends JSON as a script of the site itself does. */
    postJson: (path: string, value: unknown) =>
      request(path, {
        method: "POST",
        headers: { "Sec-Fetch-Site": "same-origin", Origin: origin, "Content-Type": "application/json" },
        body: JSON.stringify(value),
      }),
    /** Posts a form as a browser does, `FormData` as one with files; `headers` in place of those of a form of the site itself. */
    post: (
      path: string,
      fields: Record<string, string> | string[][] | FormData,
      headers: Record<string, string> = { "Sec-Fetch-Site": "same-origin", Origin: origin },
    ) =>
      request(path, {
        method: "POST",
        headers,
        body: fields instanceof FormData ? fields : new URLSearchParams(fields),
      }),
  };
}

export type Browser = ReturnType<typeof createBrowser>;
