// Defines what loaders and actions can reach; the page renderer sets it for each request.

import type { Logger } from "pino";
import { createContext } from "react-router";
import type { Config } from "#config";
import type { Db } from "#db/client.ts";
import type { Member } from "#domain/accounts/sessions.ts";
import type { AddressRule } from "#domain/game-servers/fields.ts";
import type { Discord } from "#outside/discord.ts";
import type { IdentityProvider } from "#outside/identity-provider.ts";
import type { Mailer } from "#outside/mail.ts";
import type { ObjectStorage } from "#outside/object-storage.ts";
import type { RefusalReason } from "#shared/refusal-reasons.ts";
import type { CertificateWatch } from "./certificate-watch.ts";
import type { WriteCheck } from "./health.ts";
import type { DayCurves } from "./pages/day-curves.ts";
import type { Histories } from "./pages/histories.ts";
import type { RouteMap } from "./pages/route-facts.ts";
import type { SiteReader } from "./pages/site-snapshot.ts";
import type { ToldDetailsShelf } from "./pages/told-details.ts";
import { type Asker, FOR_ALL } from "./request/fair-queue.ts";
import type { RateLimits } from "./request/rate-limits.ts";
import type { Shares } from "./request/shares.ts";
import type { SiteAddresses } from "./request/site-addresses.ts";
import type { Visit } from "./request/visit.ts";

/** The site as this process last read it, cut to what the client may see. */
export const siteContext = createContext<SiteReader>();

/** Every address of the site with its route's facts. */
export const mapContext = createContext<RouteMap>();

/** The nonce of the site's own inline scripts, new for each rendering. */
export const nonceContext = createContext<string>();

/** The signed-in member; null: none. */
export const memberContext = createContext<Member | null>(null);

/** Why the member is unknown although the request has a session: the database is unavailable. Null: see memberContext. */
export const accountAwayContext = createContext<Error | null>(null);

/** The origin of the request. */
export const visitContext = createContext<Visit>({ ip: "", user_agent: "" });

/** Why there is no page, while its error page is rendered; null: there is one. `typed`: fields whose values are filled in later. */
export const refusalContext = createContext<{
  status: number;
  reason: RefusalReason;
  typed: [name: string, value: string][];
  home: string | null;
} | null>(null);

/** Passes a failure that is not the page's own to the renderer: the database is unavailable. */
export const failureContext = createContext<{ error: unknown }>({ error: null });

/** Whose turn the rendering takes: pages for everyone use the site's. */
export const askerContext = createContext<Asker>(FOR_ALL);

/** The services that actions use; made once at start. */
export type AppParts = {
  db: Db;
  addresses: SiteAddresses;
  limits: RateLimits;
  shares: Shares;
  histories: Histories;
  dayCurves: DayCurves;
  toldDetails: ToldDetailsShelf;
  /** How long a page waits for an optional part, in milliseconds. */
  optionalPartMs: number;
  /** The storage of avatars and banners. */
  storage: ObjectStorage;
  /** Where links in mails lead; the snapshot has the address for pages and responses. */
  siteUrl: string;
  /** Seals data that browsers store, and secrets in the database. */
  secret: string;
  /** Other sites that members may log in with. */
  providers: readonly IdentityProvider[];
  /** Verifies Discord's slash commands; null: there are none. */
  discordPublicKey: string | null;
  discordCalls: Discord;
  /** The application that the commands are registered for; null: none is set. */
  discordApp: { clientId: string; clientSecret: string } | null;
  /** The folder of all data on this machine. */
  dataDir: string;
  canWrite: WriteCheck;
  certificate: CertificateWatch;
  /** Whether mails are sent; otherwise they are written to files. */
  mailsGoOut: boolean;
  /** Sends a mail now, for a caller that waits for the result; all others are queued (domain/mails.ts). */
  mailer: Mailer;
  /** The operator's environment settings, as shown to admins: never a password. */
  outside: {
    /** Name and port of the mail server; null: none is set. */
    mailServer: string | null;
    mailFrom: string;
    /** Null: no automatic backups. */
    backups: NonNullable<Config["backups"]> | null;
  };
  /** The addresses besides the public internet that may be polled, and the ports that never may: the collector's rule. */
  addressRule: AddressRule;
  log: Logger;
};

export const appContext = createContext<AppParts>();
