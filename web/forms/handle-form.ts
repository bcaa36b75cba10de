// THE ONE WAY to handle a form: find the sender, read the form, act, and answer each possible outcome. Refusals and failures leave
// the page as it is, with the sent values and the reason (decision 010).
import { data, type RouterContextProvider } from "react-router";
import { isDatabaseAway } from "#db/database-away.ts";
import type { Member } from "#domain/accounts/sessions.ts";
import type { Permission } from "#domain/permissions.ts";
import type { Actor } from "#domain/site/audit.ts";
import type { Difference, FieldErrors, FormAnswer, RefusalStatus } from "#shared/form-answer.ts";
import { type Locale, localeAt } from "#shared/locale.ts";
import { type AppParts, appContext, visitContext } from "../context.ts";
import { requireMember, requirePermission } from "../guards.ts";
import type { Visit } from "../request/visit.ts";

export type Asked = { context: Readonly<RouterContextProvider>; request: Request; url: URL };

/** The status and the sentence of each reason to refuse an act: a missing one does not compile. */
export type Refusals<Reason extends string> = Record<Reason, readonly [status: RefusalStatus, text: () => string]>;

type Refused<Given = never> = {
  ok: false;
  status: RefusalStatus;
  problem: string | null;
  fieldErrors?: FieldErrors;
  conflict?: Difference[];
  revision?: string;
  /** Replaces the sent values in the form. */
  given?: Given;
  headers?: HeadersInit | undefined;
};

type Done<Value, Given> = {
  ok: true;
  value: Value;
  revision?: string;
  /** Replaces the sent values in the form. */
  given?: Given;
  headers?: HeadersInit | undefined;
};

/** Refuses, for one reason. */
export const refuse = (status: RefusalStatus, problem: string | null, headers?: HeadersInit): Refused => ({
  ok: false,
  status,
  problem,
  headers,
});

/** Refuses for a reason from the table. */
export const refuseFor = <Reason extends string>(table: Refusals<Reason>, reason: Reason): Refused =>
  refuse(table[reason][0], table[reason][1]());

/** Refuses after too many tries; a retry makes sense after this many seconds. */
export const refuseForNow = (wait_s: number, problem: string): Refused =>
  refuse(429, problem, { "Retry-After": String(wait_s) });

/** Refuses because of wrong fields. `problem`: the text above them, if any. */
export const refuseFields = (fieldErrors: FieldErrors, problem: string | null = null): Refused => ({
  ...refuse(422, problem),
  fieldErrors,
});

/** Refuses to overwrite another person's change: returns the current revision and the differences. */
export const refuseConflict = (revision: string, conflict: Difference[]): Refused => ({
  ...refuse(409, null),
  revision,
  conflict,
});

/** Reports success; the page shows `value`. */
export const done = <const Value, Given = never>(
  value: Value,
  more: Omit<Done<Value, Given>, "ok" | "value"> = {},
): Done<Value, Given> => ({ ok: true, value, ...more });

/** The sender, and their name in the audit log. */
export type Permitted = { member: Member; actor: Actor };

/** For `who`: a member whose role permits this. Visitors are redirected to the sign-in, other members get 403. */
export const permitted = (permission: Permission) => (asked: Asked) =>
  withActor(asked, requirePermission(asked, permission));

/** For `who`: a member. Visitors are redirected to the sign-in. */
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
  /** The address of the form's page. */
  url: URL;
  locale: Locale;
};

/** The value that a form's act returns to its page. */
type Made<Outcome> = Outcome extends Done<infer Value, unknown> ? Value : never;

type Handling<Given, Outcome, Who> = {
  /** Runs before anything is read; throws if they may not. Its result is passed to the act. */
  who?: (asked: Asked) => Who;
  /** Receives the form; the default reads it whole, and answers 400 for bytes that are no form. */
  receive?: (who: Who) => Promise<FormData | Refused>;
  /** Reads the values, as the form shows them again. */
  read: (form: FormData) => Given;
  /** Validates the values and acts. A thrown Response or `data()` is passed on. */
  act: (sent: Sent<Given> & Who) => Promise<Outcome>;
  /** The text while the database is unavailable; without it the error is passed on, like every other failure. */
  away?: (intent: string) => string;
  /** The text when the act fails by the site's own fault: 500, with all sent values. Without it the error is passed on, too. */
  failed?: (intent: string) => string;
};

/** Handles a form as a route's action: returns the page's data, or a redirect. */
export async function handleForm<
  Given,
  Outcome extends Done<unknown, Given> | Refused<Given> | Response,
  Who = unknown,
>(asked: Asked, { who, receive, read, act, away, failed }: Handling<Given, Outcome, Who>) {
  const app = asked.context.get(appContext);
  const known = who?.(asked) as Who;
  const received = await (receive?.(known) ?? asked.request.formData().catch(() => null));
  // A body that is no form is the sender's fault: answered with a page that says so.
  if (received === null) throw data(null, { status: 400 });
  const form = received instanceof FormData ? received : new FormData();
  const intent = textOf(form, "intent");
  const given = read(form);
  const { url } = asked;
  const visit = asked.context.get(visitContext);
  const sent = { given, form, intent, app, visit, url, locale: localeAt(url.pathname), ...known };
  const outcome: Done<unknown, Given> | Refused<Given> | Response =
    received instanceof FormData
      ? await act(sent).catch((error: unknown) => {
          if (away && isDatabaseAway(error)) {
            app.log.warn({ err: error, path: url.pathname }, "a form could not be done while the database is away");
            return refuse(503, away(intent));
          }
          // Only errors count: anything else is a redirect, or a page of its own.
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

/** Gets a field as text, cut to `most` characters; empty if missing. */
export const textOf = (form: FormData, name: string, most?: number): string =>
  String(form.get(name) ?? "").slice(0, most);

/** Gets fields as texts, by their names. */
export const textsOf = <Name extends string>(form: FormData, names: readonly Name[]): Record<Name, string> =>
  Object.fromEntries(names.map((name) => [name, textOf(form, name)])) as Record<Name, string>;
