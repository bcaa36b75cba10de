// The member's safety: second factor, passkeys, and the devices that are signed in.
import { data, useLocation } from "react-router";
import { endSessions } from "#domain/members/users.ts";
import { readDevice } from "#domain/sign-in/device-name.ts";
import { listPasskeys, removePasskey, renamePasskey } from "#domain/sign-in/passkeys.ts";
import { listSessions, removeSession } from "#domain/sign-in/sessions.ts";
import { recordAudit } from "#domain/site/audit.ts";
import { spokenAt } from "#shared/spoken.ts";
import { qrPath } from "#web/accounts/qr-code.ts";
import { confirmTotp, disableTotp, remakeRecoveryCodes, startTotp } from "#web/accounts/second-factor.ts";
import { appContext, siteContext, visitContext } from "#web/context.ts";
import { requireFreshSession, requireMember } from "#web/guards.ts";
import { readForm } from "#web/request/read-form.ts";
import { whyNoPasskeys } from "../../passkeys.ts";
import { useAnswer } from "../../ui/form/use-answer.ts";
import { PageTitle } from "../../ui/page-title/page-title.tsx";
import { refusalInit, refusalWords } from "../public/sign-in/refusal-words.ts";
import type { Route } from "./+types/security";
import { Devices } from "./devices.tsx";
import { FreshOnly } from "./fresh-only.tsx";
import { Passkeys } from "./passkeys.tsx";
import { SecondFactor, type Setup } from "./second-factor.tsx";
import { TEXT } from "./security-text.ts";

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = requireMember({ context, request });
  const { db } = context.get(appContext);
  const spoken = spokenAt(new URL(request.url).pathname);
  const day = (at: Date) => at.toLocaleDateString(spoken === "de" ? "de-DE" : "en-GB", { dateStyle: "medium" });
  const [sessions, passkeys] = await Promise.all([listSessions(db, member.user_id), listPasskeys(db, member.user_id)]);
  return {
    fresh: member.fresh,
    no_passkeys: whyNoPasskeys(context.get(siteContext).read().site_url),
    two_factor: member.two_factor,
    passkeys: passkeys.map(({ passkey_id, name, created_at }) => ({ passkey_id, name, day: day(created_at) })),
    sessions: sessions.map(({ session_id, ip, user_agent, program, last_used_at, signed_in_at }) => ({
      session_id,
      here: session_id === member.session_id,
      ...readDevice(user_agent),
      program,
      ip,
      last_used_at: last_used_at.toISOString(),
      day: day(signed_in_at),
    })),
  };
}

type Outcome = {
  setup?: Setup | null;
  codes?: string[] | null;
  error?: string | null;
  done?: "on" | "off";
  ended?: boolean;
};
const outcome = (value: Outcome) => value;

export async function action({ context, request }: Route.ActionArgs) {
  const app = context.get(appContext);
  const visit = context.get(visitContext);
  const spoken = spokenAt(new URL(request.url).pathname);
  const form = await readForm(request);
  const text = (name: string, longest: number) => String(form.get(name) ?? "").slice(0, longest);
  const intent = form.get("intent");

  // Ending sessions and naming passkeys cost nobody their account.
  const member = requireMember({ context, request });
  const audit = { actor_id: member.user_id, origin: visit };
  if (intent === "session-end" || intent === "sessions-end-others") {
    if (intent === "session-end") {
      if (!(await removeSession(app.db, member.user_id, text("session_id", 40)))) return outcome({});
    } else await endSessions(app.db, member.user_id, member.session_id);
    await recordAudit(app.db, { what: "session-ended", ...audit });
    return outcome({ ended: true });
  }
  if (intent === "passkey-rename") {
    await renamePasskey(app.db, member.user_id, text("passkey_id", 40), text("name", 60));
    return outcome({});
  }

  requireFreshSession({ context, request });
  if (intent === "passkey-remove") {
    await removePasskey(app.db, { user_id: member.user_id, origin: visit }, text("passkey_id", 40));
    return outcome({});
  }
  if (intent === "totp-start") {
    const begun = await startTotp(app, member);
    if (!begun) return data(outcome({ error: TEXT[spoken].totp.already }), { status: 409 });
    const { uri, secret, recovery_codes } = begun;
    return outcome({ setup: { uri, secret, codes: recovery_codes, qr: qrPath(uri) } });
  }
  if (intent === "totp-confirm") {
    const setup = readSetup(text("uri", 600), text("codes", 200));
    const confirmed = await confirmTotp(app, request, visit, member, text("code", 20));
    if (confirmed.ok) return data(outcome({ done: "on", codes: setup?.codes ?? null }), { headers: confirmed.headers });
    return data(outcome({ setup, error: refusalWords(spoken, confirmed) }), refusalInit(confirmed));
  }
  if (intent === "totp-codes") return outcome({ codes: await remakeRecoveryCodes(app, visit, member) });
  if (intent === "totp-off") {
    await disableTotp(app, visit, member);
    return outcome({ done: "off" });
  }
  return data(outcome({}), { status: 400 });
}

/** What the page itself carried along, so that a mistyped code does not begin it anew. */
function readSetup(uri: string, codes: string): Setup | null {
  const secret = /^otpauth:\/\/totp\//.test(uri) && URL.canParse(uri) ? new URL(uri).searchParams.get("secret") : null;
  const list = codes.split(" ").filter((code) => /^[\da-z]{5}-[\da-z]{5}$/.test(code));
  return secret ? { uri, secret, codes: list, qr: qrPath(uri) } : null;
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function SecurityPage({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const t = TEXT[spokenAt(useLocation().pathname)];
  return (
    <>
      <PageTitle>{t.title}</PageTitle>
      {!loaderData.fresh && <FreshOnly />}
      <SecondFactor
        t={t.totp}
        on={loaderData.two_factor}
        fresh={loaderData.fresh}
        setup={actionData?.setup ?? null}
        codes={actionData?.codes ?? null}
        error={actionData?.error ?? null}
        done={actionData?.done ?? null}
      />
      <Passkeys t={t.passkeys} {...loaderData} />
      <Devices t={t.sessions} ended={actionData?.ended ?? false} sessions={loaderData.sessions} />
    </>
  );
}
