// What every loader and action can reach, set for each request by the page renderer.

import type { Logger } from "pino";
import { createContext } from "react-router";
import type { Config } from "#config";
import type { Db } from "#db/client.ts";
import type { AddressRule } from "#domain/game-servers/fields.ts";
import type { Member } from "#domain/sign-in/sessions.ts";
import type { Discord } from "#outside/discord.ts";
import type { Mailer } from "#outside/mail.ts";
import type { ObjectStorage } from "#outside/object-storage.ts";
import type { RefusalReason } from "#shared/refusal-reasons.ts";
import type { Auth } from "./accounts/auth.ts";
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

/** The site as this process last read it, cut to what the person who asks may see. */
export const siteContext = createContext<SiteReader>();

/** Every address of the site, and what its route says of it. */
export const mapContext = createContext<RouteMap>();

/** The mark of the inline scripts that are ours, made anew for each rendering. */
export const nonceContext = createContext<string>();

/** Who is signed in; null: nobody. */
export const memberContext = createContext<Member | null>(null);

/** Why nobody knows who asks, although they came with a session: the database is away. Null: memberContext tells. */
export const accountAwayContext = createContext<Error | null>(null);

/** Where the request came from. */
export const visitContext = createContext<Visit>({ ip: "", user_agent: "" });

/** Why there is no page, where its page is made; null: there is a page. `typed`: fields whose values are filled in later. */
export const refusalContext = createContext<{
  status: number;
  reason: RefusalReason;
  typed: [name: string, value: string][];
  home: string | null;
} | null>(null);

/** Where a failure that is not the page's own is left behind for the renderer: the database's absence. */
export const failureContext = createContext<{ error: unknown }>({ error: null });

/** Whose turn it is when the page is rendered: what is made for everybody belongs to the site. */
export const askerContext = createContext<Asker>(FOR_ALL);

/** What actions work with; made once at start. */
export type AppParts = {
  db: Db;
  auth: Auth;
  /** The account library as it is at an address of the site: what it says to browsers names the address that they see. */
  authAt: (origin: string) => Auth;
  addresses: SiteAddresses;
  limits: RateLimits;
  shares: Shares;
  histories: Histories;
  dayCurves: DayCurves;
  toldDetails: ToldDetailsShelf;
  /** How long a page waits for a part that it can be shown without, in milliseconds. */
  optionalPartMs: number;
  /** Where avatars and banners are kept. */
  storage: ObjectStorage;
  /** Where mails lead; what a page or an answer says of its own address is in the site's snapshot. */
  siteUrl: string;
  /** Seals what we hand to browsers. */
  secret: string;
  /** Whether sign-in with Discord is set up. */
  discord: boolean;
  /** By which the slash commands of Discord are known to be its own; null: there are none. */
  discordPublicKey: string | null;
  discordCalls: Discord;
  /** As which application the commands are registered; null: none is set. */
  discordApp: { clientId: string; clientSecret: string } | null;
  /** The folder of everything that this machine keeps. */
  dataDir: string;
  canWrite: WriteCheck;
  certificate: CertificateWatch;
  /** Whether mails reach people; otherwise they become files. */
  mailsGoOut: boolean;
  /** Sends a mail now, for whoever waits to hear what became of it; all others are queued (domain/mails.ts). */
  mailer: Mailer;
  /** What the operator has set outside of the site, as an admin is told it: never a password. */
  outside: {
    /** Name and port of the mail server; null: none is set. */
    mailServer: string | null;
    mailFrom: string;
    /** Null: no backups are made by themselves. */
    backups: NonNullable<Config["backups"]> | null;
  };
  /** What may be asked as a game server besides the public internet, and which ports never: the collector's rule. */
  addressRule: AddressRule;
  log: Logger;
};

export const appContext = createContext<AppParts>();
