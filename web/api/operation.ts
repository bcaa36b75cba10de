// Defines an operation of the public API: its input, its output, and its permissions. Both the router and the document are
// generated from it, so they always agree.
import type { z } from "zod";
import type { ApiKey, KeyScope } from "#domain/accounts/api-keys.ts";
import type { ProgramMember } from "#domain/accounts/program-sessions.ts";
import type { AppParts } from "../context.ts";
import type { SiteSnapshot } from "../pages/site-snapshot.ts";
import type { Visit } from "../request/visit.ts";
import type { ProblemStatus } from "./problem.ts";

export type Fields = Record<string, string | number | undefined>;

/** The input of a reply. `body` has the operation's shape. */
export type Asked = {
  app: AppParts;
  /** The site as the client may see it. */
  site: SiteSnapshot;
  params: Fields;
  query: Fields;
  body: unknown;
  key: ApiKey | null;
  member: ProgramMember | null;
  visit: Visit;
  headers: Headers;
  /** Its body is unread if the operation takes a file. */
  request: Request;
};

/** A reply: a value that becomes JSON, nothing (204), or a finished response such as a problem. */
export type Reply =
  | Response
  | { status?: number; json: unknown; headers?: Record<string, string> }
  | { status: 204; headers?: Record<string, string> };

type Common = {
  /** Names the operation in the document, in tests, and in generated programs. */
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
  /** The body is a file: its bytes, or a form with one. The operation reads it itself. */
  file?: { about: string };
  /** The successful response. */
  gives: { status: 200 | 201 | 204; shape?: z.ZodType; type?: string; about: string; headers?: string[] };
  /** Refusals besides those that follow from its input and permissions. */
  refuses?: Partial<Record<ProblemStatus, string>>;
};

export type Operation = Common &
  (
    | {
        /** Reading without a key: answered from memory, with the same bytes for each audience. */
        access: "anybody";
        /** null: it does not exist. */
        read: (site: SiteSnapshot, asked: { params: Fields; query: Fields }) => unknown;
      }
    /** Reading without a key that needs more than memory. */
    | { access: "anybody"; fetch: (asked: Asked) => Promise<Reply> }
    /**
     * `open`: requires the body's secret. `session`: a program's access token. `known`: either such a token or a key; the
     * operation checks which. Otherwise a key with this scope, or the access token of a member whose role has the permission of
     * that name. `fresh`: requires a sign-in within the last fifteen minutes for such a token, as on the site (decision 025).
     */
    | {
        access: "open" | "session" | "known" | KeyScope;
        /** The permission a member's role needs instead of `access`, where the page with this data needs more than a key. */
        member?: KeyScope;
        fresh?: true;
        reply: (asked: Asked) => Promise<Reply>;
      }
    /** Answered elsewhere, and only described here. */
    | { access: "anybody" | "game-machine"; elsewhere: true }
  );

/** Checks whether an operation is readable without a key, from any web site. */
export const isPublic = (operation: Operation): boolean => operation.access === "anybody";
