/** Browsers of visitors: pages, forms and the live stream, through the balancer or at one web machine as the balancer asks it. */
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

/** Where requests go in. */
export type Door = { host: string; port: number; siteUrl: string; ca: Buffer | null; agent: HttpAgent };

export type Reply = { status: number; text: string; bytes: Buffer; location: string | null };

const LIMIT_MS = 20_000;

/** `ca`: whom the balancer's certificate must be by; null: plain HTTP, as from the balancer to a web machine. */
export function openDoor(host: string, port: number, siteUrl: string, ca: Buffer | null): Door {
  const settings = { keepAlive: true, maxSockets: 500 };
  return {
    host,
    port,
    siteUrl,
    ca,
    agent: ca === null ? new HttpAgent(settings) : new HttpsAgent({ ...settings, ca }),
  };
}

function send(door: Door, options: RequestOptions): ClientRequest {
  const { host: name } = new URL(door.siteUrl);
  const headers = { ...options.headers, Host: name };
  const all = { host: door.host, port: door.port, agent: door.agent, ...options, headers };
  return door.ca === null ? httpRequest(all) : httpsRequest({ ...all, servername: name });
}

/** A browser at an address of its own; it keeps cookies and follows nothing by itself. */
export function createVisitor(address: string) {
  const cookies = new Map<string, string>();
  const common = () => ({
    "User-Agent": "Spawnpoint test browser",
    // The balancer puts its own word behind this one.
    "X-Forwarded-For": address,
    ...(cookies.size > 0 ? { Cookie: [...cookies].map((pair) => pair.join("=")).join("; ") } : {}),
  });

  function ask(door: Door, path: string, init: { method?: string; headers?: object; body?: string | Buffer } = {}) {
    return new Promise<Reply>((resolve, reject) => {
      const headers = { ...common(), ...init.headers };
      const asked = send(door, { path, method: init.method ?? "GET", headers });
      const limit = setTimeout(() => asked.destroy(new Error(`${path} took longer than ${LIMIT_MS} ms`)), LIMIT_MS);
      asked.on("error", (error) => {
        clearTimeout(limit);
        reject(error);
      });
      asked.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          clearTimeout(limit);
          keepCookies(response);
          const bytes = Buffer.concat(chunks);
          const location = response.headers.location ?? null;
          resolve({ status: response.statusCode ?? 0, text: bytes.toString(), bytes, location });
        });
      });
      asked.end(init.body);
    });
  }

  function keepCookies(response: IncomingMessage): void {
    for (const line of response.headers["set-cookie"] ?? []) {
      const [pair = ""] = line.split(";", 1);
      const at = pair.indexOf("=");
      if (/Max-Age=0/i.test(line)) cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  return {
    get: (door: Door, path: string) => ask(door, path),
    /** Posts a form as a browser does, or a body of another type. */
    post(door: Door, path: string, fields: Record<string, string> | FormData, headers: object = {}) {
      return postBody(ask, door, path, fields, headers);
    },
    /** Posts any body, as programs do. */
    send: (door: Door, path: string, body: string, headers: object) =>
      ask(door, path, { method: "POST", headers, body }),
    cookies,
    /** Opens the live stream; `onText` gets what comes, as it comes. */
    stream: (door: Door, onText: (text: string) => void) =>
      openStream(send(door, { path: "/live", headers: common() }), onText),
    /** Whether the site takes this browser for a member's. */
    isSignedIn: async (door: Door) => (await ask(door, "/login/")).status === 302,
  };
}

export type Visitor = ReturnType<typeof createVisitor>;

async function postBody(
  ask: (door: Door, path: string, init: { method: string; headers: object; body: Buffer }) => Promise<Reply>,
  door: Door,
  path: string,
  fields: Record<string, string> | FormData,
  more: object,
): Promise<Reply> {
  const form = new Response(fields instanceof FormData ? fields : new URLSearchParams(fields));
  const body = Buffer.from(await form.arrayBuffer());
  const headers = {
    "Content-Type": form.headers.get("content-type") ?? "",
    "Content-Length": body.length,
    "Sec-Fetch-Site": "same-origin",
    Origin: door.siteUrl,
    ...more,
  };
  return ask(door, path, { method: "POST", headers, body });
}

export type Stream = {
  /** Resolves when the first bytes have come. @throws when it was refused */
  opened: Promise<void>;
  /** Resolves when it is over, however. */
  ended: Promise<void>;
  close(): void;
};

function openStream(asked: ClientRequest, onText: (text: string) => void): Stream {
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  opened.promise.catch(() => {});
  const over = (error?: Error) => {
    opened.reject(error ?? new Error("the stream ended before it began"));
    ended.resolve();
  };
  asked.on("error", over);
  asked.on("response", (response) => {
    if (response.statusCode !== 200) {
      response.resume();
      over(new Error(`the stream was answered by ${response.statusCode}`));
      return;
    }
    response.setEncoding("utf8");
    response.on("data", (text: string) => {
      opened.resolve();
      onText(text);
    });
    response.on("error", over);
    response.on("close", () => over());
  });
  asked.end();
  return { opened: opened.promise, ended: ended.promise, close: () => asked.destroy() };
}
