// The member's security: second factor, passkeys, linked accounts of other sites, and sessions.

import { readDevice } from "#domain/accounts/device-name.ts";
import { listLinkedSites, removeLinkedSite, SITE_NAMES } from "#domain/accounts/linked-sites.ts";
import { listPasskeys, removePasskey, renamePasskey } from "#domain/accounts/passkeys.ts";
import { listSessions, removeSession } from "#domain/accounts/sessions.ts";
import { endSessions } from "#domain/accounts/users.ts";
import { recordAudit } from "#domain/site/audit.ts";
import { qrPath } from "#shared/qr-path.ts";
import { sessionHere } from "#web/accounts/device.ts";
import { confirmTotp, disableTotp, remakeRecoveryCodes, startTotp } from "#web/accounts/second-factor.ts";
import { appContext, siteContext } from "#web/context.ts";
import { done, handleForm, refuse, signedIn, textOf } from "#web/forms/handle-form.ts";
import { requireFreshSession, requireMember } from "#web/guards.ts";
import { formatDay } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { whyNoPasskeys } from "../../passkeys.ts";
import { useAnswer } from "../../ui/form/use-answer.ts";
import { PageTitle } from "../../ui/page-title/page-title.tsx";
import { refuseSignIn } from "../public/sign-in/refuse-sign-in.ts";
import type { Route } from "./+types/security";
import { Devices } from "./devices.tsx";
import { FreshOnly } from "./fresh-only.tsx";
import { LinkedSite } from "./linked-site.tsx";
import { Passkeys } from "./passkeys.tsx";
import { SecondFactor, type Setup } from "./second-factor.tsx";

const PROVIDER_IDS = ["discord", "oidc"] as const;
type ProviderId = (typeof PROVIDER_IDS)[number];

/** What people call a provider, also one that the site no longer offers. */
const nameOf = (id: ProviderId, offered: readonly { id: ProviderId; name: string }[]): string =>
  offered.find((provider) => provider.id === id)?.name ?? SITE_NAMES[id];

export async function loader({ context, url }: Route.LoaderArgs) {
  const member = requireMember({ context, url });
  const { db, providers } = context.get(appContext);
  const [sessions, passkeys, linked] = await Promise.all([
    listSessions(db, member.user_id),
    listPasskeys(db, member.user_id),
    listLinkedSites(db, member.user_id),
  ]);
  return {
    fresh: member.fresh,
    no_passkeys: whyNoPasskeys(context.get(siteContext).read().site_url),
    two_factor: member.two_factor,
    passkeys: passkeys.map(({ passkey_id, name, created_at }) => ({ passkey_id, name, day: formatDay(created_at) })),
    /** Those that the site offers, and those of which old links are left. */
    linked: PROVIDER_IDS.flatMap((id) => {
      const offered = providers.some((provider) => provider.id === id);
      const accounts = linked.filter(({ provider }) => provider === id);
      if (!offered && accounts.length === 0) return [];
      return {
        id,
        name: nameOf(id, providers),
        offered,
        accounts: accounts.map(({ account_id, created_at }) => ({ account_id, day: formatDay(created_at) })),
        back: url.searchParams.get(id),
      };
    }),
    sessions: sessions.map(({ session_id, ip, user_agent, program, last_used_at, signed_in_at }) => ({
      session_id,
      here: session_id === member.session_id,
      ...readDevice(user_agent),
      program,
      ip,
      last_used_at: last_used_at.toISOString(),
      day: formatDay(signed_in_at),
    })),
  };
}

/** Result of an action, as the page shows it. */
type Outcome = { setup?: Setup; codes?: string[] | null; turned?: "on" | "off"; ended?: boolean; unlinked?: string };

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: signedIn,
    read: (form) => ({ setup: readSetup(textOf(form, "uri", 600), textOf(form, "codes", 200)) }),
    async act({ given: { setup }, form, intent, app, visit, actor, member }) {
      const passkeyId = textOf(form, "passkey_id", 40);
      // Drops the finished setup, so that its secret isn't sent again.
      const told = (outcome: Outcome, headers?: Headers) => done(outcome, { headers, given: { setup: null } });
      // Ending sessions and naming passkeys put no account at risk.
      if (intent === "session-end" || intent === "sessions-end-others") {
        if (intent === "sessions-end-others")
          await endSessions(app.db, member.user_id, sessionHere(app, asked.request, member));
        else if (!(await removeSession(app.db, member.user_id, textOf(form, "session_id", 40)))) return told({});
        await recordAudit(app.db, { what: "session-ended", actor_id: member.user_id, origin: visit });
        return told({ ended: true });
      }
      if (intent === "passkey-rename") {
        await renamePasskey(app.db, member.user_id, passkeyId, textOf(form, "name", 60));
        return told({});
      }

      requireFreshSession(asked);
      if (intent === "passkey-remove") {
        await removePasskey(app.db, actor, passkeyId);
        return told({});
      }
      if (intent === "discord-unlink" || intent === "oidc-unlink") {
        const provider = intent === "discord-unlink" ? "discord" : "oidc";
        const outcome = await removeLinkedSite(app.db, actor, textOf(form, "account_id", 40));
        if (outcome === "last") return refuse(409, m.account_provider_last({ name: nameOf(provider, app.providers) }));
        return told(outcome === "removed" ? { unlinked: provider } : {});
      }
      if (intent === "totp-start") {
        const begun = await startTotp(app, member);
        if (!begun) return refuse(409, m.account_factor_already());
        const { uri, secret, recovery_codes } = begun;
        return told({ setup: { uri, secret, codes: recovery_codes, qr: qrPath(uri) } });
      }
      if (intent === "totp-confirm") {
        const confirmed = await confirmTotp(app, asked.request, visit, member, textOf(form, "code", 20));
        if (!confirmed.ok) return refuseSignIn(confirmed);
        return told({ turned: "on", codes: setup?.codes ?? null }, confirmed.headers);
      }
      if (intent === "totp-codes") return told({ codes: await remakeRecoveryCodes(app, visit, member) });
      if (intent !== "totp-off") return refuse(400, null);
      await disableTotp(app, visit, member);
      return told({ turned: "off" });
    },
  });
}

/** Reads the setup that the page sent along, so that a mistyped code doesn't restart it. */
function readSetup(uri: string, codes: string): Setup | null {
  const secret = /^otpauth:\/\/totp\//.test(uri) && URL.canParse(uri) ? new URL(uri).searchParams.get("secret") : null;
  const list = codes.split(" ").filter((code) => /^[\da-z]{5}-[\da-z]{5}$/.test(code));
  return secret ? { uri, secret, codes: list, qr: qrPath(uri) } : null;
}

export const headers = ({ actionHeaders }: Route.HeadersArgs) => actionHeaders;

export default function SecurityPage({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const outcome = actionData?.done;
  const unlinking = actionData?.intent?.endsWith("-unlink") ? actionData.intent : null;
  return (
    <>
      <PageTitle>{m.account_settings_layout_security()}</PageTitle>
      {!loaderData.fresh && <FreshOnly />}
      <SecondFactor
        on={loaderData.two_factor}
        fresh={loaderData.fresh}
        setup={outcome ? (outcome.setup ?? null) : (actionData?.given.setup ?? null)}
        codes={outcome?.codes ?? null}
        error={unlinking ? null : (actionData?.problem ?? null)}
        done={outcome?.turned ?? null}
      />
      <Passkeys {...loaderData} />
      {loaderData.linked.map((site) => (
        <LinkedSite
          key={site.id}
          {...site}
          fresh={loaderData.fresh}
          unlinked={outcome?.unlinked === site.id}
          problem={unlinking === `${site.id}-unlink` ? (actionData?.problem ?? null) : null}
        />
      ))}
      <Devices ended={outcome?.ended ?? false} sessions={loaderData.sessions} />
    </>
  );
}
