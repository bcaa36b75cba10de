// One call of the API whose operation is known: JSON in, JSON out, and a refusal in the site's own words.
import { ApiError } from "./errors.ts";
import { type CallOptions, type Fetch, limit, typeOf } from "./request.ts";

/** Of an error where one row is asked for and there is none, or where there are several. */
const NOT_ONE_ROW = "PGRST116";

export type Answer<T> = { data: T; error: null } | { data: null; error: ApiError };

/** One page of a list. */
export type ListPage<Row = unknown> = { data: Row[]; total: number };

/** The answer to a list. */
export type ListAnswer<Page extends ListPage> = Promise<Answer<Page>> & {
  /** Its only row. The error's code is `PGRST116` where there is none, or where there are several. */
  single(): Promise<Answer<Page["data"][number]>>;
};

/** Lets a list be asked for its only row. */
export function withSingle<Row, Page extends ListPage<Row>>(answer: Promise<Answer<Page>>): ListAnswer<Page> {
  return Object.assign(answer, {
    async single(): Promise<Answer<Row>> {
      const { data: page, error } = await answer;
      if (error) return { data: null, error };
      const [row] = page.data;
      if (page.total === 1 && row !== undefined) return { data: row, error: null };
      const about = { status: 406, code: NOT_ONE_ROW };
      return { data: null, error: new ApiError("JSON object requested, multiple (or no) rows returned", about) };
    },
  });
}

export type Call = <T>(
  method: string,
  path: string,
  given?: CallOptions & {
    /** One row is asked for: that there is none has a code of its own. */
    single?: boolean;
    /** JSON, or bytes and forms as they are. */
    body?: unknown;
    query?: Record<string, unknown>;
    /** The state that is changed: what the record's `revision` said (If-Match). */
    revision?: string | undefined;
    /** Goes into `Authorization: Bearer`. */
    token?: string | null | undefined;
  },
) => Promise<Answer<T>>;

type Sent = NonNullable<Parameters<Call>[2]>;

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
      if (!response.ok) return { data: null, error: await readProblem(response, given.single) };
      const isJson = typeOf(response).endsWith("json");
      return { data: (isJson ? await response.json() : null) as T, error: null };
    } catch (error) {
      return { data: null, error: new ApiError(`No answer came: ${String(error)}`, { status: 0 }, error) };
    } finally {
      limited.end();
    }
  };
}

async function readProblem(response: Response, single = false): Promise<ApiError> {
  const { status } = response;
  const problem = await response
    .clone()
    .json()
    .catch(() => null);
  const detail = typeof problem?.detail === "string" ? problem.detail : `The site answered ${status}.`;
  const code = problem?.code ?? (single && status === 404 ? NOT_ONE_ROW : null);
  return new ApiError(detail, { status, code, errors: problem?.errors ?? [] }, response);
}
