/** Requests with just the headers that a test gives, or just the bytes, for what no browser and no `fetch` would send. */
import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import type { AccountSite } from "./account-site.ts";

type Answer = { status: number; headers: IncomingHttpHeaders; text: string; cookies: string[] };
type Asked = { method?: string; headers?: Record<string, string>; fields?: Record<string, string> };

/** One request with just the headers that are given: `fetch` would set the Host by itself. */
export function ask(site: AccountSite, path: string, { method, headers = {}, fields }: Asked = {}): Promise<Answer> {
  const body = fields && new URLSearchParams(fields).toString();
  const all = fields ? { "Content-Type": "application/x-www-form-urlencoded", ...headers } : headers;
  return new Promise((resolve, reject) => {
    const { port } = new URL(site.base);
    const asked = request({ host: "127.0.0.1", port, path, method: method ?? (fields ? "POST" : "GET"), headers: all });
    asked.on("error", reject).on("response", async (response) => {
      let text = "";
      for await (const part of response.setEncoding("utf8")) text += part;
      const cookies = (response.headers["set-cookie"] ?? []).map((line) => line.split(";", 1)[0] ?? "");
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, cookies });
    });
    asked.end(body);
  });
}

/** What comes back on a connection over which these bytes were sent. */
export async function raw(site: AccountSite, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(site.base).port), "127.0.0.1", () => socket.write(bytes));
  let text = "";
  socket.setEncoding("latin1").on("data", (part) => {
    text += part;
  });
  await once(socket, "close");
  return text;
}

let visitors = 0;
/** A visitor of its own, so that no limit is shared. */
export const visitor = () => {
  visitors += 1;
  return { "X-Forwarded-For": `198.18.7.${visitors}` };
};
/** As a browser asks for a page. */
export const DOCUMENT = { Accept: "text/html,application/xhtml+xml", "User-Agent": "a browser" };
