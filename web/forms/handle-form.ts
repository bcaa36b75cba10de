// THE ONE WAY to handle a form: who sends it, what they sent, the act, and one answer for each way in which that can end. What
// is refused or fails leaves the page as it is, with what was typed and the reason (decision 010).
import { data, type RouterContextProvider } from "react-router";
import { isDatabaseAway } from "#db/database-away.ts";
import type { Permission } from "#domain/permissions.ts";
import type { Member } from "#domain/sign-in/sessions.ts";
import type { Actor } from "#domain/site/audit.ts";
import type { Difference, FieldErrors, FormAnswer, RefusalStatus } from "#shared/form-answer.ts";
import { type Locale, localeAt } from "#shared/locale.ts";
import { type AppParts, appContext, visitContext } from "../context.ts";
import { requireMember, requirePermission } from "../guards.ts";
import type { Visit } from "../request/visit.ts";

export type Asked = { context: Readonly<RouterContextProvider>; request: Request };

/** The status and the sentence of each reason for which an act is refused: one that is forgotten does not compile. */
export type Refusals<Reason extends string> = Record<Reason, readonly [status: RefusalStatus, text: () => string]>;

type Refused<Given = never> = {
  ok: false;
  status: RefusalStatus;
  problem: string | null;
  fieldErrors?: FieldErrors;
  conflict?: Difference[];
  revision?: string;
  /** What the form shows in place of what was sent. */
  given?: Given;
  headers?: HeadersInit | undefined;
};

type Done<Value, Given> = {
  ok: true;
  value: Value;
  revision?: string;
  /** What the form shows in place of what was sent. */
  given?: Given;
  headers?: HeadersInit | undefined;
};

/** Nothing was done, for one reason. */
export const refuse = (status: RefusalStatus, problem: string | null, headers?: HeadersInit): Refused => ({
  ok: false,
  status,
  problem,
  headers,
});

/** Nothing was done, for a reason of the table. */
export const refuseFor = <Reason extends string>(table: Refusals<Reason>, reason: Reason): Refused =>
  refuse(table[reason][0], table[reason][1]());

/** Nothing was done, for it was tried too often; it makes sense again after so many seconds. */
export const refuseForNow = (wait_s: number, problem: string): Refused =>
  refuse(429, problem, { "Retry-After": String(wait_s) });

/** Nothing was done, for fields are wrong. `problem`: what is said above them, if anything. */
export const refuseFields = (fieldErrors: FieldErrors, problem: string | null = null): Refused => ({
  ...refuse(422, problem),
  fieldErrors,
});

/** Nothing was saved, for somebody else has done so meanwhile: the revision that there is now, and how it differs. */
export const refuseConflict = (revision: string, conflict: Difference[]): Refused => ({
  ...refuse(409, null),
  revision,
  conflict,
});

/** It was done; `value` is what the page shows of it. */
export const done = <const Value, Given = never>(
  value: Value,
  more: Omit<Done<Value, Given>, "ok" | "value"> = {},
): Done<Value, Given> => ({ ok: true, value, ...more });

/** Who sent it, and as whom the audit log names them. */
export type Permitted = { member: Member; actor: Actor };

/** For `who`: a member whose role may do this. Whoever is none is led to the sign-in, other members get 403. */
export const permitted = (permission: Permission) => (asked: Asked) =>
  withActor(asked, requirePermission(asked, permission));

/** For `who`: a member. Whoever is none is led to the sign-in. */
export const signedIn = (asked: Asked) => withActor(asked, requireMember(asked));

const withActor = ({ context }: Asked, member: Member): Permitted => ({
  member,
  actor: { user_id: member.user_id, origin: context.get(visitContext) },
});

type Sent<Given> = {
  given: Given;
  form: FormData;
  intent: string;
  app: AppParts;
  visit: Visit;
  /** Of the page that the form stands on. */
  url: URL;
  locale: Locale;
};

/** What the act of a form came to; what it made of it is what the page is told. */
type Made<Outcome> = Outcome extends Done<infer Value, unknown> ? Value : never;

type Handling<Given, Outcome, Who> = {
  /** Asked before anything is read; throws where they may not. What it finds is handed to the act. */
  who?: (asked: Asked) => Who;
  /** Takes the form in; otherwise it is read whole, with 400 for bytes that are none. */
  receive?: (who: Who) => Promise<FormData | Refused>;
  /** What was sent, as the form shows it again. */
  read: (form: FormData) => Given;
  /** Checks what was sent and does it. A thrown Response or `data()` goes on as it is. */
  act: (sent: Sent<Given> & Who) => Promise<Outcome>;
  /** What is said while the database is away; without it that goes on, as every other failure does, to the one place for such. */
  away?: (intent: string) => string;
  /** What the form says where the act fails by a fault of the site's own: 500, and nothing typed is lost. Without it that goes on, too. */
  failed?: (intent: string) => string;
};

/** Handles a form as a route's action does: the answer for its page, or a way on. */
export async function handleForm<
  Given,
  Outcome extends Done<unknown, Given> | Refused<Given> | Response,
  Who = unknown,
>(asked: Asked, { who, receive, read, act, away, failed }: Handling<Given, Outcome, Who>) {
  const app = asked.context.get(appContext);
  const known = who?.(asked) as Who;
  const received = await (receive?.(known) ?? asked.request.formData().catch(() => null));
  // Bytes that are no form are the sender's fault, not ours: they end in a page that says so.
  if (received === null) throw data(null, { status: 400 });
  const form = received instanceof FormData ? received : new FormData();
  const intent = textOf(form, "intent");
  const given = read(form);
  const url = new URL(asked.request.url);
  const visit = asked.context.get(visitContext);
  const sent = { given, form, intent, app, visit, url, locale: localeAt(url.pathname), ...known };
  const outcome: Done<unknown, Given> | Refused<Given> | Response =
    received instanceof FormData
      ? await act(sent).catch((error: unknown) => {
          if (away && isDatabaseAway(error)) {
            app.log.warn({ err: error, path: url.pathname }, "a form could not be done while the database is away");
            return refuse(503, away(intent));
          }
          // What is no error is a way on: a redirect, or a page of its own.
          if (!failed || isDatabaseAway(error) || !(error instanceof Error)) throw error;
          app.log.error({ err: error, path: url.pathname }, "a form failed");
          return refuse(500, failed(intent));
        })
      : received;
  if (outcome instanceof Response) return outcome;
  const answer: FormAnswer<Given, Made<Outcome>> = {
    intent,
    status: outcome.ok ? 200 : outcome.status,
    given: outcome.given ?? given,
    done: outcome.ok ? (outcome.value as Made<Outcome>) : null,
    problem: outcome.ok ? null : outcome.problem,
    fieldErrors: (outcome.ok ? undefined : outcome.fieldErrors) ?? {},
    conflict: (outcome.ok ? undefined : outcome.conflict) ?? null,
    revision: outcome.revision ?? (form.has("revision") ? textOf(form, "revision") : null),
  };
  return data(answer, { status: answer.status, headers: outcome.headers });
}

/** A field as text, cut to so many characters; empty where there is none. */
export const textOf = (form: FormData, name: string, most?: number): string =>
  String(form.get(name) ?? "").slice(0, most);

/** Fields as texts, by their names. */
export const textsOf = <Name extends string>(form: FormData, names: readonly Name[]): Record<Name, string> =>
  Object.fromEntries(names.map((name) => [name, textOf(form, name)])) as Record<Name, string>;
