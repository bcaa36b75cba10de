/** A site with something on every page, and with people who may open them. */
import { utimes } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, BrowserContext, BrowserContextOptions } from "@playwright/test";
import sharp from "sharp";
import { createToken } from "#domain/accounts/one-time-tokens.ts";
import { hashPassword } from "#domain/accounts/passwords.ts";
import { createUser } from "#domain/accounts/users.ts";
import { createContact } from "#domain/inbox/contacts.ts";
import { BANNER, MEDIA_BUCKET, makePicture, storeFiles } from "#domain/media/files.ts";
import { updateRole } from "#domain/members/roles.ts";
import { createObjectStorage } from "#outside/object-storage.ts";
import type { Who } from "./access-map.ts";
import { logIn, startSite } from "./site.ts";

export const PASSWORD = "a lamp in the harbour";
const EMAIL: Record<Exclude<Who, "nobody">, string> = { member: "member@example.org", admin: "admin@example.org" };

/** Signing in with Discord and its commands are offered; nobody presses what asks Discord. */
const DISCORD = {
  DISCORD_CLIENT_ID: "100000000000000001",
  DISCORD_CLIENT_SECRET: "nothing of Discord's",
  DISCORD_PUBLIC_KEY: "0".repeat(64),
};

export type AccessSite = Awaited<ReturnType<typeof startAccessSite>>;

/**
 * Starts the demo, whose game servers come and go by themselves, or none, with a member, an admin and a privacy request.
 * `elsewhere`: its `url` is another address of this machine than the one that the start printed.
 */
export async function startAccessSite({
  demo = true,
  elsewhere = false,
}: Parameters<typeof startSite>[0] & { elsewhere?: boolean } = {}) {
  const started = await startSite({ demo, env: DISCORD });
  const site = elsewhere ? { ...started, url: started.url.replace("//localhost:", "//127.0.0.1:") } : started;
  if (elsewhere && site.url === started.url) throw new Error(`${site.url} is what the start printed`);
  const { db, sql } = site;
  const passwordHash = await hashPassword(PASSWORD);
  const make = (email: string) => createUser(db, { email, passwordHash, locale: "en", emailVerified: true });
  const [member, admin] = await Promise.all([make(EMAIL.member), make(EMAIL.admin)]);
  await updateRole(db, admin.id, "admin");
  await createContact(
    db,
    {
      name: "Ada Lovelace",
      email: "ada@example.org",
      message: "Please delete everything that you hold on me.\n\nThank you.",
      request: { kind: "delete", region: "virginia" },
    },
    { locale: "en", operatorEmail: "operator@example.org" },
  );
  const [message] = await sql<{ contact_id: number }[]>`select contact_id from contacts limit 1`;
  const [server] = await sql<{ server_id: number; game_id: number }[]>`
    select server_id, game_id from gameserver where server_name = 'Minecraft Anarchy'`;
  if (!message || !server) throw new Error("the demo's content or the message is missing");
  const about = { user_id: member.id, email: member.email };
  const token = (purpose: Parameters<typeof createToken>[1]) => createToken(db, purpose, about, 3600);
  const sessions = new Map<Who, Awaited<ReturnType<BrowserContext["storageState"]>>>();

  /** A browser of theirs, logged in. */
  async function browserOf(browser: Browser, who: Who, options: BrowserContextOptions = {}): Promise<BrowserContext> {
    if (who !== "nobody" && !sessions.has(who)) {
      const context = await browser.newContext();
      await logIn(context, site.url, EMAIL[who], PASSWORD);
      sessions.set(who, await context.storageState());
      await context.close();
    }
    return browser.newContext({ ...options, storageState: sessions.get(who) });
  }

  // The first players bring a link to the fullest game server, which nobody should meet half way through a page.
  while (demo && (await sql`select 1 from gameserver_live_metrics where user_online > 0 limit 1`).length === 0)
    await pause(100);
  // One of each kind that a list can show.
  await sql`update gameserver set lifecycle = 'maintenance' where server_name = 'Aion 3.9 Fast'`;

  const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: "#204060" } })
    .png()
    .toBuffer();
  await keepUnused(site.dataDir, picture);

  const [outpost] = await sql<{ outpost_id: number }[]>`
    insert into outposts (name, token_hash, last_seen_at, version, clock_offset_ms, round_trip_ms)
    values ('Frankfurt', 'nothing', now(), '0.2.0', -1400, 38) returning outpost_id`;

  const [news] = await sql<{ news_id: number }[]>`
    insert into news (slug, title, text, published, pinned, starts_at)
    values ('first', '{"en":"New rules for the market","de":"Neue Regeln für den Markt"}',
      '{"en":"## What changes\\n\\n- **Prices** stand on signs.\\n- [Ask](/contact) if in doubt.\\n\\n> Thank you!","de":"## Was sich ändert\\n\\n- **Preise** stehen auf Schildern.\\n\\n> Danke!"}', true, true, '2026-01-02') returning news_id`;
  const [channel] = await sql<{ target_id: string }[]>`
    insert into notification_targets (kind, name, address_hash, last4, failing_since, last_error)
    values ('webhook', 'Bot of the team', 'nothing', 'bot.example.org', now(), 'timeout') returning target_id`;

  // Stopped, so that nobody asks Discord: what is shown of it stays.
  const [discord] = await sql<{ target_id: string }[]>`
    insert into notification_targets (kind, name, address_hash, last4, dead_at, last_error)
    values ('discord', 'The harbour', 'a webhook', 'a1b2', now(), 'Unknown Webhook') returning target_id`;
  await sql`
    insert into discord_cards (target_id, kind, server_id, locale, state, message_id, last_error)
    values (${discord?.target_id ?? ""}, 'site', null, 'en', 'removed', null, 'Unknown Message'),
      (${discord?.target_id ?? ""}, 'server', ${server.server_id}, 'en', 'shown', '1', null)`;

  await sql`
    with happened as (
      insert into notification_events (kind, server_id, dedupe_key, expires_at, fanned_out_at, outcome)
      values ('server_down', ${server.server_id}, 'walked', now() + interval '1 hour', now(), 'told') returning event_id)
    insert into notification_deliveries (event_id, target_id, channel, dedupe_key, state, attempts, last_error, answer, next_attempt_at)
    select event_id, ${channel?.target_id ?? null}, 'webhook', 'walked ' || state, state, 4, 'status', '503 Come back later',
      case when state = 'waiting' then now() + interval '1 hour' end
    from happened cross join unnest(array['failed', 'waiting', 'doubtful']) as state`;

  const [plan] = await sql<{ plan_id: number }[]>`
    insert into plans (kind, server_id, title, first_local, time_zone, repeats, minutes)
    values ('maintenance', ${server.server_id}, '{"en":"A new map for the spring","de":"Eine neue Karte für den Frühling"}',
      '2026-01-04T04:00', 'Europe/Berlin', 'weekly', 30) returning plan_id`;
  const [incident] = await sql<{ incident_id: number }[]>`
    insert into incidents (about, title, published_at)
    values ('site', '{"en":"Logging in takes long","de":"Das Anmelden dauert lange"}', now()) returning incident_id`;
  await sql`
    insert into incident_updates (incident_id, text)
    values (${incident?.incident_id ?? 0}, '{"en":"We have found it.\\nIt is a disk.","de":"Gefunden: eine Platte."}')`;

  return {
    ...site,
    browserOf,
    /** For pictures that people upload. */
    picture,
    /** What stands in addresses. */
    values: {
      slug: "minecraft",
      newsSlug: "first",
      newsId: String(news?.news_id),
      serverId: String(server.server_id),
      gameId: String(server.game_id),
      contactId: String(message.contact_id),
      userId: member.id,
      outpostId: String(outpost?.outpost_id),
      targetId: String(channel?.target_id),
      kind: "telegram",
      planId: String(plan?.plan_id),
      incidentId: String(incident?.incident_id),
      token: "nonsense",
      page: "launcher",
    },
    tokens: {
      verify: await token("verify-email"),
      reset: await token("reset-password"),
      keep: await token("keep-account"),
    },
  };
}

/** Keeps a picture that nothing shows, for so long that it may be removed. */
async function keepUnused(dataDir: string, picture: Buffer): Promise<void> {
  const made = await makePicture(() => sharp(picture), BANNER);
  const fail = (error: Error) => {
    throw error;
  };
  await storeFiles(createObjectStorage({ dataDir }), made?.files ?? [], fail);
  const uploaded = Date.now() / 1000 - 7200;
  for (const { key } of made?.files ?? [])
    await utimes(path.join(dataDir, "buckets", MEDIA_BUCKET, key), uploaded, uploaded);
}
