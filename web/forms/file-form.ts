// Reads a form with a file: two at once per account, over all web processes, each with a limit on its bytes, its time and its pace,
// whatever its headers promise.

import type { Member } from "#domain/accounts/sessions.ts";
import { IMAGE_MAX_BYTES } from "#domain/media/image-decoder.ts";
import { askerOf } from "../accounts/members.ts";
import type { AppParts } from "../context.ts";
import { isPlainForm } from "../request/limited-body.ts";
import { NoPlaceError } from "../request/places.ts";

/** Why there is no form. `arriving`: two of this account are being uploaded. `slow`: it did not arrive in time. */
export type FileFormRefusal = "too-heavy" | "broken" | "slow" | "arriving" | "busy";

/** The status of each refusal. */
export const FILE_FORM_STATUS = { "too-heavy": 413, broken: 422, slow: 408, arriving: 429, busy: 503 } as const;

/** The form's bytes besides the file: names, boundaries, other fields. */
const FORM_BYTES = 64 * 1024;
/** Read and discarded beyond the limit, so that the browser receives the response. */
const DRAINED_BYTES = 24 * 1024 * 1024;
/** Below the server's limit for a whole request. */
const MOST_MS = 25_000;
/** The minimum bytes per interval: the slowest telephone sends more, a client that only holds a slot does not. */
const PACE = { ms: 5_000, bytes: 8 * 1024 };
const MOST_OF_ACCOUNT = 2;
/** Longer than a form may take: the slots of a killed process are free after this. */
const HELD_S = 60;

type Sender = Pick<Member, "user_id" | "role">;

/** Reads a member's form; its upload slot is released when the form has arrived. A form without a file needs none. */
export async function readFileForm(
  app: Pick<AppParts, "limits" | "shares">,
  member: Sender,
  request: Request,
): Promise<FormData | FileFormRefusal> {
  // It has arrived, within the limits of every form (web/request/limited-body.ts).
  if (isPlainForm(request.headers)) return request.formData().catch(() => "broken" as const);
  const bytes = await readFileBytes(app, member, request);
  if (typeof bytes === "string") return bytes;
  const headers = { "Content-Type": request.headers.get("Content-Type") ?? "" };
  return new Response(bytes, { headers }).formData().catch(() => "broken" as const);
}

/** Reads a body of any content in the same way. */
export async function readFileBytes(
  app: Pick<AppParts, "limits" | "shares">,
  member: Sender,
  request: Request,
): Promise<Uint8Array<ArrayBuffer> | FileFormRefusal> {
  const leave = await app.shares.uploads.take(askerOf(member)).catch((error) => {
    if (error instanceof NoPlaceError) return error.reason === "own" ? ("arriving" as const) : ("busy" as const);
    throw error;
  });
  if (typeof leave === "string") return leave;
  const held = { name: "upload", of: member.user_id };
  try {
    if (!(await app.limits.hold({ ...held, most: MOST_OF_ACCOUNT, seconds: HELD_S }))) return "arriving";
    try {
      return await read(request);
    } finally {
      await app.limits.letGo(held).catch(() => {});
    }
  } finally {
    leave();
  }
}

async function read(request: Request): Promise<Uint8Array<ArrayBuffer> | FileFormRefusal> {
  const limits = startLimits();
  try {
    const arriving = collect(request, limits.count);
    // A late body is abandoned: the response closes the connection, and thereby ends the reading.
    return await Promise.race([arriving, limits.passed]);
  } catch {
    // The connection was lost.
    return "broken";
  } finally {
    limits.stop();
  }
}

async function collect(
  request: Request,
  count: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer> | "too-heavy"> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    count(chunk.byteLength);
    if (size <= IMAGE_MAX_BYTES + FORM_BYTES) chunks.push(chunk);
    else chunks.length = 0;
    if (size > IMAGE_MAX_BYTES + FORM_BYTES + DRAINED_BYTES) return "too-heavy";
  }
  return size > IMAGE_MAX_BYTES + FORM_BYTES ? "too-heavy" : Uint8Array.from(Buffer.concat(chunks));
}

/** `passed` resolves when the upload takes too long, or too little arrived within an interval. */
function startLimits() {
  const { promise: passed, resolve } = Promise.withResolvers<"slow">();
  let since = 0;
  const whole = setTimeout(resolve, MOST_MS, "slow");
  const pace = setInterval(() => {
    if (since < PACE.bytes) resolve("slow");
    since = 0;
  }, PACE.ms);
  return {
    passed,
    count: (bytes: number) => {
      since += bytes;
    },
    stop() {
      clearTimeout(whole);
      clearInterval(pace);
    },
  };
}
