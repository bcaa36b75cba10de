// Sends browsers to another site where people log in, such as Discord, and takes them back: logged in, or with that account linked.
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { findOrCreateLinkedUser, linkSite } from "#domain/accounts/linked-sites.ts";
import { claimOnce } from "#domain/accounts/one-time-tokens.ts";
import { findMemberByToken } from "#domain/accounts/sessions.ts";
import {
  createLoginChecks,
  type Identity,
  type IdentityProvider,
  type LoginChecks,
} from "#outside/identity-provider.ts";
import { addressIn, type Locale, localeAt } from "#shared/locale.ts";
import { escapeHtml } from "#shared/text/escape-html.ts";
import type { AppParts } from "../context.ts";
import { message } from "../messages.ts";
import { nextPage } from "../request/next-page.ts";
import { ofAddress } from "../request/rate-limits.ts";
import { readVisit } from "../request/visit.ts";
import { pageAfterSignIn } from "./after-sign-in.ts";
import { beginSession } from "./begin-session.ts";
import { readSealedCookie, readSessionToken, setCookie, setSealedCookie } from "./cookies.ts";

type C = Context<{ Bindings: HttpBindings }>;

/** How long someone may take at the other site. */
const AWAY_S = 10 * 60;
const WARN_EVERY_MS = 60_000;

/** What the browser stores while it is away. `link_to`: the member to whom the account is to be linked; null: it logs in. */
type Away = { checks: LoginChecks; next: string; link_to: string | null };

/** Makes a page that opens another one at once. */
function forwardingPage(to: URL, locale: Locale, name: string): string {
  const text = escapeHtml(message(locale, "bare_continue_with", { name }));
  const href = escapeHtml(to.href);
  return `<!doctype html>
<html lang="${locale}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="0; url=${href}">
<title>${text}</title>
<p><a href="${href}">${text}</a></p>
</html>
`;
}

/** Adds the addresses of a provider, below `/api/auth`. */
export function addProvider(
  endpoints: Hono<{ Bindings: HttpBindings }>,
  app: AppParts,
  provider: IdentityProvider,
  trustProxy: number,
): void {
  const { id } = provider;
  const stateCookie = `${id}_state`;
  const callback = `/api/auth/callback/${id}`;
  const originOf = (c: C) => app.addresses.linkOrigin(c.env.incoming);

  async function leave(c: C, next: string, linkTo: string | null) {
    const checks = createLoginChecks();
    const to = await provider.begin(new URL(callback, originOf(c)), checks, linkTo !== null).catch(unavailable);
    if (to === null) return c.redirect(linkTo ? withOutcome(next, "refused") : refusedLogin, 303);
    const away: Away = { checks, next, link_to: linkTo };
    c.header("Set-Cookie", setSealedCookie(app, stateCookie, away, AWAY_S));
    // Browsers check where the answer to a form redirects to, through all sites on the way, but not where its page leads.
    return provider.leadsOn ? c.html(forwardingPage(to, localeAt(next), provider.name)) : c.redirect(to.href, 303);
  }

  /** Gets the page that started linking an account, with the outcome. */
  const withOutcome = (path: string, outcome: string) =>
    `${new URL(path, "http://page.invalid").pathname}?${id}=${outcome}`;
  const refusedLogin = `/login/?refused=${id}`;

  let warnedAt = Number.NEGATIVE_INFINITY;
  /** Logs why, for the operator; a warning at most once a minute, as clients may send invented codes by the thousand. */
  function unavailable(error: unknown): null {
    const now = performance.now();
    const isDue = now - warnedAt > WARN_EVERY_MS;
    if (isDue) warnedAt = now;
    app.log[isDue ? "warn" : "debug"]({ err: error }, `login with ${provider.name} failed`);
    return null;
  }

  // Both ways there begin with a form: the cross-site check refuses other sites' forms earlier (web/request/cross-site.ts).
  endpoints.post(`/${id}`, (c) => leave(c, nextPage(c.req.query("next") ?? null), null));

  // For a member who has just confirmed their identity.
  endpoints.post(`/${id}/link`, async (c) => {
    const next = nextPage(c.req.query("next") ?? null);
    const token = readSessionToken(c.req.header("Cookie"), app.siteUrl);
    const member = token === null ? null : await findMemberByToken(app.db, token);
    if (member?.fresh) return leave(c, next, member.user_id);
    const path = `${member ? "/user/reauthenticate" : "/login/"}?next=${encodeURIComponent(next)}`;
    return c.redirect(addressIn(localeAt(next), path), 303);
  });

  /** Gets the person's identity from the other site; null: refused, or another browser's login. */
  async function findIdentity(c: C, { checks }: Away): Promise<Identity | null> {
    if (c.req.query("state") !== checks.state) return null;
    const url = new URL(callback + new URL(c.req.url).search, originOf(c));
    const identity = await provider.finish(url, checks).catch(unavailable);
    // Last, so that invented codes write nothing.
    const isFirst = identity && (await app.db.transaction((tx) => claimOnce(tx, stateCookie, checks.state, AWAY_S)));
    return isFirst ? identity : null;
  }

  // The one address that logs in by GET, as OAuth requires: the state in the cookie ties it to this browser.
  endpoints.get(`/callback/${id}`, async (c) => {
    const visit = readVisit(c.env.incoming, trustProxy);
    // An invented code makes the site query the other one, which refuses a site with too many invalid requests.
    const wait = await app.limits.consume(ofAddress(id, visit.ip, { tries: 60, seconds: 15 * 60 }));
    if (wait !== null) return c.redirect(refusedLogin);
    const cookies = c.req.header("Cookie");
    const away = readSealedCookie<Away>(app, cookies, stateCookie);
    c.header("Set-Cookie", setCookie(app.siteUrl, stateCookie, "", 0));
    if (!away) return c.redirect(refusedLogin);
    const { next, link_to } = away;
    const identity = await findIdentity(c, away);
    if (link_to !== null) {
      const actor = { user_id: link_to, origin: visit };
      const token = readSessionToken(cookies, app.siteUrl);
      const linked = identity !== null && (await linkSite(app.db, actor, token, id, identity));
      return c.redirect(withOutcome(next, linked ? "linked" : "refused"));
    }
    const user = identity && (await findOrCreateLinkedUser(app.db, id, identity));
    const signedIn = user && (await beginSession(app, c.req.raw, visit, { user_id: user.id, by: id }));
    // The reason is not shown: it would reveal whether the address has an account.
    if (!signedIn?.ok) return c.redirect(refusedLogin);
    for (const cookie of signedIn.headers.getSetCookie()) c.header("Set-Cookie", cookie, { append: true });
    return c.redirect(pageAfterSignIn(localeAt(next), signedIn, next));
  });
}
