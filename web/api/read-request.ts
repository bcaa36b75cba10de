// Parses a request by the shapes of its operation; refuses invalid input with explanations.
import type { HonoRequest } from "hono";
import { readBytesInTime } from "../request/limited-body.ts";
import { fieldErrorsOf } from "./field-errors.ts";
import type { Fields, Operation } from "./operation.ts";
import { problem } from "./problem.ts";
import { readTexts } from "./schemas.ts";

const MAX_BODY_BYTES = 128 * 1024;

const FORM = /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\s*(?:;|$)/i;

/** Parses the names in the address; null: they match nothing. */
export function readParams({ params }: Operation, texts: Record<string, string>): Fields | null {
  if (!params) return {};
  const read = params.safeParse(readTexts(params, texts));
  return read.success ? (read.data as Fields) : null;
}

/** Parses the query. Refuses unknown and repeated names like wrong values. */
export function readQuery({ query }: Operation, search: URLSearchParams): Fields | Response {
  const texts: Record<string, string> = Object.fromEntries(search);
  const names = [...search.keys()];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    return refuse([{ field: twice.slice(0, 100), code: "twice", detail: "This is said twice." }]);
  if (!query) {
    const errors = names.map((field) => ({
      field: field.slice(0, 100),
      code: "unknown",
      detail: "There is no such field.",
    }));
    return errors.length === 0 ? {} : refuse(errors.slice(0, 20));
  }
  const read = query.safeParse(readTexts(query, texts));
  return read.success ? (read.data as Fields) : refuse(fieldErrorsOf(read.error.issues));
}

const refuse = (errors: ReturnType<typeof fieldErrorsOf>) =>
  problem(400, `The query of the address is not right: ${errors.map(({ field }) => field).join(", ")}.`, { errors });

/** Parses the body by the operation's shape. */
export async function readBody(
  { body, asForm }: Operation,
  request: HonoRequest,
): Promise<{ value: unknown } | Response> {
  if (!body) return { value: undefined };
  const type = request.header("Content-Type") ?? "";
  const isForm = asForm === true && FORM.test(type);
  if (!isForm && !/^application\/json\s*(?:;|$)/i.test(type))
    return problem(415, `The body has to be application/json${asForm ? " or a form" : ""}.`);
  const bytes = await readBytesInTime(request.raw, MAX_BODY_BYTES);
  // The rest of the body would be read as the next request.
  if (bytes === "late") return problem(408, "The body did not arrive in time.", { headers: { Connection: "close" } });
  if (bytes === null) return problem(413, `A body may have ${MAX_BODY_BYTES / 1024} KB.`);
  let value: unknown;
  try {
    value = isForm
      ? Object.fromEntries(await new Response(bytes, { headers: { "Content-Type": type } }).formData())
      : JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return problem(400, isForm ? "The body is no form." : "The body is no JSON.");
  }
  const read = body.safeParse(value);
  if (read.success) return { value };
  return problem(422, "The body is not right.", { errors: fieldErrorsOf(read.error.issues).slice(0, 50) });
}
