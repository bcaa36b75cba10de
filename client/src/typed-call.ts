// One call of the API whose operation is known: JSON in, JSON out, and a refusal in the site's own words.
import { ApiError } from "./errors.ts";
import { type CallOptions, type Fetch, limit, typeOf } from "./request.ts";

export type Answer<T> = { data: T; error: null } | { data: null; error: ApiError };

type Sent = CallOptions & {
  /** JSON, or bytes and forms as they are. */
  body?: unknown;
  query?: Record<string, unknown>;
  /** The state that is changed: what the record's `revision` said (If-Match). */
  revision?: string | undefined;
  /** Goes into `Authorization: Bearer`. */
  token?: string | null | undefined;
};

export type Call = <T>(method: string, path: string, given?: Sent) => Promise<Answer<T>>;

/** Makes what calls operations below `url`, such as https://play.example/api/v1. */
export function createCall(url: string, fetch: Fetch): Call {
  return async <T>(method: string, path: string, given: Sent = {}): Promise<Answer<T>> => {
    const limited = limit(given);
    try {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(given.query ?? {}))
        if (value !== undefined && value !== null) search.set(name, String(value));
      const headers = new Headers({ Accept: "application/json" });
      if (given.token) headers.set("Authorization", `Bearer ${given.token}`);
      if (given.revision !== undefined) headers.set("If-Match", `"${given.revision}"`);
      const init: RequestInit = { method: method.toUpperCase(), headers, signal: limited.signal };
      const { body } = given;
      if (body instanceof FormData || body instanceof Blob) init.body = body;
      else if (body !== undefined) {
        headers.set("Content-Type", "application/json");
        init.body = JSON.stringify(body);
      }
      const response = await fetch(`${url}${path}${search.size > 0 ? `?${search}` : ""}`, init);
      if (!response.ok) return { data: null, error: await readProblem(response) };
      const isJson = typeOf(response).endsWith("json");
      return { data: (isJson ? await response.json() : null) as T, error: null };
    } catch (error) {
      return { data: null, error: new ApiError(`No answer came: ${String(error)}`, { status: 0 }, error) };
    } finally {
      limited.end();
    }
  };
}

async function readProblem(response: Response): Promise<ApiError> {
  const { status } = response;
  const problem = await response
    .clone()
    .json()
    .catch(() => null);
  const detail = typeof problem?.detail === "string" ? problem.detail : `The site answered ${status}.`;
  return new ApiError(detail, { status, code: problem?.code ?? null, errors: problem?.errors ?? [] }, response);
}
