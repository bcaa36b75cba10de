// One operation of the public API: what it takes, what it gives, and who may. The router and the document are both made of
// these, so that neither knows what the other does not.
import type { z } from "zod";
import type { ApiKey, KeyScope } from "#domain/sign-in/api-keys.ts";
import type { ProgramMember } from "#domain/sign-in/program-sessions.ts";
import type { AppParts } from "../context.ts";
import type { SiteSnapshot } from "../pages/site-snapshot.ts";
import type { Visit } from "../request/visit.ts";
import type { ProblemStatus } from "./problem.ts";

export type Fields = Record<string, string | number | undefined>;

/** What a reply is made of. `body` has the shape that the operation says. */
export type Asked = {
  app: AppParts;
  /** What the one who asks may see. */
  site: SiteSnapshot;
  params: Fields;
  query: Fields;
  body: unknown;
  key: ApiKey | null;
  member: ProgramMember | null;
  visit: Visit;
  headers: Headers;
  /** Its body is unread where the operation takes a file. */
  request: Request;
};

/** A reply: a value that becomes JSON, nothing (204), or a finished answer such as a problem. */
export type Reply =
  | Response
  | { status?: number; json: unknown; headers?: Record<string, string> }
  | { status: 204; headers?: Record<string, string> };

type Common = {
  /** Names the operation in the document, in tests, and in programs that are made from it. */
  id: string;
  method: "get" | "post" | "put" | "delete";
  /** Below /api/v1, with {names} of `params`. */
  path: string;
  tag: string;
  summary: string;
  about?: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Has to be registered by name (web/api/schemas.ts). */
  body?: z.ZodType;
  /** The body may be sent as a form, too. */
  asForm?: true;
  /** The body is a file: its bytes, or a form with one. The operation reads it by itself. */
  file?: { about: string };
  /** What comes back when it went well. */
  gives: { status: 200 | 201 | 204; shape?: z.ZodType; type?: string; about: string; headers?: string[] };
  /** Refusals besides those that follow from what it takes and who may. */
  refuses?: Partial<Record<ProblemStatus, string>>;
};

export type Operation = Common &
  (
    | {
        /** Reading without a key: answered from memory, the same bytes for everybody who may see the same. */
        access: "anybody";
        /** null: there is no such thing. */
        read: (site: SiteSnapshot, asked: { params: Fields; query: Fields }) => unknown;
      }
    /** Reading without a key that needs more than memory. */
    | { access: "anybody"; fetch: (asked: Asked) => Promise<Reply> }
    /**
     * `open`: whoever knows the body's secret. `session`: a program's access token. `known`: either such a token or a key, and
     * the operation says which. Otherwise a key with this scope, or the access token of a member whose role has the permission of
     * that name. `fresh`: such a token counts within fifteen minutes of the sign-in only, as on the site (decision 025).
     */
    | {
        access: "open" | "session" | "known" | KeyScope;
        /** What a member's role has to allow in place of `access`, where the page that shows the same asks for more than a key. */
        member?: KeyScope;
        fresh?: true;
        reply: (asked: Asked) => Promise<Reply>;
      }
    /** Answered elsewhere, and only described here. */
    | { access: "anybody" | "game-machine"; elsewhere: true }
  );

/** Whether an operation is read by anybody, from any web site. */
export const isPublic = (operation: Operation): boolean => operation.access === "anybody";
