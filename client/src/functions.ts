// The function client: any operation of the site's API by its path, without types. Nothing is thrown.
import { type ClientError, FunctionsFetchError, FunctionsHttpError, FunctionsRelayError } from "./errors.ts";
import { type CallOptions, type Fetch, limit, typeOf } from "./request.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export type InvokeOptions = CallOptions & {
  /** POST unless said otherwise. */
  method?: Method;
  headers?: Record<string, string>;
  /** Objects become JSON; texts, Blob, ArrayBuffer and its views, streams and FormData go as they are. */
  body?: unknown;
};

export type InvokeAnswer<T> =
  | { data: T; error: null; response: Response }
  | { data: null; error: ClientError; response: Response | undefined };

export type Functions = {
  /** Calls the operation at this path below /api/v1, such as `servers`; POST unless said otherwise. Never throws. */
  invoke<T = unknown>(name: string, options?: InvokeOptions): Promise<InvokeAnswer<T>>;
  /** Every following call carries this token, such as an admin's key; null: that of the session again. */
  setAuth(token: string | null): void;
};

/** Makes it. `token`: what goes into `Authorization: Bearer` where nothing else was set; null: nothing. */
export function createFunctions(url: string, parts: { fetch: Fetch; token: () => Promise<string | null> }): Functions {
  let fixedToken: string | null = null;

  async function invoke<T = unknown>(name: string, options: InvokeOptions = {}): Promise<InvokeAnswer<T>> {
    const limited = limit(options);
    let response: Response | undefined;
    try {
      const { type, body } = encode(options.body);
      const headers = new Headers();
      if (type) headers.set("Content-Type", type);
      const token = fixedToken ?? (await parts.token());
      if (token) headers.set("Authorization", `Bearer ${token}`);
      for (const [header, value] of Object.entries(options.headers ?? {})) headers.set(header, value);
      const init: RequestInit = { method: options.method ?? "POST", headers, signal: limited.signal };
      if (body !== undefined) init.body = body;
      // What is sent as a stream cannot be sent twice, and the standard wants that said.
      if (body instanceof ReadableStream) Object.assign(init, { duplex: "half" });
      response = await parts.fetch(`${url}/${name.replace(/^\/+/, "")}`, init);
      if (response.headers.get("x-relay-error") === "true") throw new FunctionsRelayError(response);
      if (!response.ok) throw new FunctionsHttpError(response);
      return { data: (await decode(response)) as T, error: null, response };
    } catch (error) {
      const known = error instanceof FunctionsRelayError || error instanceof FunctionsHttpError;
      return { data: null, error: known ? error : new FunctionsFetchError(error), response };
    } finally {
      limited.end();
    }
  }

  return {
    invoke,
    setAuth(token) {
      fixedToken = token;
    },
  };
}

type Encoded = { type?: string; body: BodyInit | undefined };

function encode(body: unknown): Encoded {
  if (body === undefined || body === null) return { body: undefined };
  if (typeof body === "string") return { type: "text/plain;charset=UTF-8", body };
  // The boundary of a form, and the type of form fields, are known to `fetch` alone.
  if (body instanceof FormData || body instanceof URLSearchParams) return { body };
  if (body instanceof Blob) return { type: body.type || "application/octet-stream", body };
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body) || body instanceof ReadableStream)
    return { type: "application/octet-stream", body: body as BodyInit };
  return { type: "application/json", body: JSON.stringify(body) };
}

const BINARY = /^(?:application\/(?:octet-stream|pdf|zip)|image\/|audio\/|video\/|font\/)/;

async function decode(response: Response): Promise<unknown> {
  const type = typeOf(response);
  if (type === "application/json" || type.endsWith("+json")) return response.json();
  if (type === "text/event-stream") return response;
  if (type === "multipart/form-data") return response.formData();
  return BINARY.test(type) && type !== "image/svg+xml" ? response.blob() : response.text();
}
