// Makes the public API's error responses: RFC 9457, application/problem+json.
import { z } from "zod";

/** The title of each status. The reference page explains them under #problem-<status>. */
export const TITLES = {
  400: "The request cannot be read",
  401: "Who is asking?",
  403: "Not allowed",
  404: "There is nothing at this address",
  405: "This address does not take that",
  408: "It did not arrive in time",
  409: "It stands in the way of something else",
  412: "Somebody else has changed it since",
  413: "Too large",
  415: "Not JSON",
  421: "The site does not live at this address",
  422: "The fields are not right",
  428: "Say which state you have changed",
  429: "Too many requests",
  500: "Something went wrong",
  503: "The database does not answer",
} as const;

export type ProblemStatus = keyof typeof TITLES;

export const problemShape = z.object({
  type: z.string().meta({ description: "Where this kind of problem is explained." }),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string().meta({ description: "What was wrong with this very request." }),
  code: z.string().optional().meta({ description: "For programs, where one status has several reasons." }),
  error_id: z.string().optional().meta({ description: "Finds the failure in the operator's log." }),
  errors: z
    .array(z.object({ field: z.string(), code: z.string(), detail: z.string() }))
    .optional()
    .meta({ description: "What is wrong with each field." }),
});

export type FieldProblem = { field: string; code: string; detail: string };
type More = { code?: string; error_id?: string; errors?: FieldProblem[]; headers?: Record<string, string> };

/** Makes the response; `headers` are added to it. */
export function problem(status: ProblemStatus, detail: string, { headers, ...more }: More = {}): Response {
  const body: z.infer<typeof problemShape> = {
    type: `/developers#problem-${status}`,
    title: TITLES[status],
    status,
    detail,
    ...more,
  };
  return Response.json(body, {
    status,
    headers: { "Cache-Control": "no-store", ...headers, "Content-Type": "application/problem+json; charset=utf-8" },
  });
}

/** Makes a 429 with the seconds to wait. */
export const tooOften = (waitS: number): Response =>
  problem(429, `Please wait ${waitS} ${waitS === 1 ? "second" : "seconds"}.`, {
    headers: { "Retry-After": String(waitS) },
  });
