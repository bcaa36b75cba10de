// Operators' notification rules: stores them, and finds the targets that they choose for an event.
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { LOCKS } from "#db/advisory-locks.ts";
import type { Db } from "#db/client.ts";
import {
  games,
  gameserver,
  notificationRules,
  notificationTargets,
  profiles,
  roles,
  siteSettings,
} from "#db/schema/index.ts";
import { fieldError } from "#shared/field-error-codes.ts";
import { type Actor, recordAudit } from "../site/audit.ts";
import { isPublicKind, serversOfIncident } from "./audience.ts";
import { kindsOfTopics, RULE_TOPICS, type RuleTopic } from "./event-kinds.ts";
import { registerMailbox } from "./targets.ts";
import { syncWatches } from "./watches.ts";

/** For operators only: never sent to a public channel. */
const OWN_TOPIC: RuleTopic = "troubles";

export const RULE_MINUTES_MAX = 60;
/** The default rule reports an outage once it has lasted this long. */
const OUTAGE_S = 300;
const MOST_RULES = 100;

const minutes = z
  .string()
  .trim()
  .refine((text) => /^\d{1,3}$/.test(text) && Number(text) <= RULE_MINUTES_MAX, fieldError("number"))
  .transform(Number);

/**
 * A new rule as a form sends it. `about`: `all`, `game:3` or `server:7`; `to`: `admins` or a channel's id. Errors: `missing`,
 * `number`, `no_choice`.
 */
export const ruleShape = z.object({
  topics: z.array(z.enum(RULE_TOPICS, fieldError("no_choice"))).min(1, fieldError("missing")),
  about: z.string().regex(/^(?:all|(?:game|server):[1-9]\d{0,8})$/, fieldError("no_choice")),
  to: z.union([z.literal("admins"), z.uuid()], fieldError("no_choice")),
  minutes,
  with_hidden: z.boolean(),
});

type RuleGiven = z.infer<typeof ruleShape>;

const aboutOf = (about: string) => {
  const [what, id] = about.split(":");
  return { server_id: what === "server" ? Number(id) : null, game_id: what === "game" ? Number(id) : null };
};

/**
 * Creates a rule. `gone`: its subject or channel doesn't exist (any more); `too_many`: there are a hundred; `not_public`: the
 * site's own troubles may not go to a channel where the public reads along.
 */
export function createRule(
  db: Db,
  actor: Actor,
  given: RuleGiven,
): Promise<{ ok: true } | { ok: false; reason: "gone" | "too_many" | "not_public" }> {
  const about = aboutOf(given.about);
  const target_id = given.to === "admins" ? null : given.to;
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCKS.rules})`);
    if ((await tx.$count(notificationRules)) >= MOST_RULES) return { ok: false, reason: "too_many" };
    if (!(await isThere(tx, { ...about, target_id }))) return { ok: false, reason: "gone" };
    if (target_id !== null && given.topics.includes(OWN_TOPIC) && (await isPublic(tx, target_id))) {
      return { ok: false, reason: "not_public" };
    }
    const kinds = kindsOfTopics(given.topics);
    const values = { ...about, target_id, kinds, after_s: given.minutes * 60, with_hidden: given.with_hidden };
    const [made] = await tx.insert(notificationRules).values(values).returning({ rule_id: notificationRules.rule_id });
    await syncWatches(tx);
    await record(tx, actor, "notification-rule-made", Number(made?.rule_id), values);
    return { ok: true };
  });
}

async function isThere(
  tx: Db,
  { server_id, game_id, target_id }: { server_id: number | null; game_id: number | null; target_id: string | null },
): Promise<boolean> {
  const found = await Promise.all([
    server_id === null ? 1 : tx.$count(gameserver, eq(gameserver.server_id, server_id)),
    game_id === null ? 1 : tx.$count(games, eq(games.game_id, game_id)),
    target_id === null
      ? 1
      : tx.$count(notificationTargets, and(eq(notificationTargets.target_id, target_id), isOperators)),
  ]);
  return found.every((count) => count === 1);
}

async function isPublic(tx: Db, targetId: string): Promise<boolean> {
  const { target_id, kind } = notificationTargets;
  return (await tx.$count(notificationTargets, and(eq(target_id, targetId), isPublicKind(sql`${kind}`)))) > 0;
}

/** Operators' channels have a name; personal targets have none, and no rule uses them. */
const isOperators = and(isNull(notificationTargets.user_id), sql`${notificationTargets.name} is not null`);

/** Turns a rule on or off. False: there is none. */
export function switchRule(db: Db, actor: Actor, ruleId: number, enabled: boolean): Promise<boolean> {
  return db.transaction(async (tx) => {
    const rows = await tx
      .update(notificationRules)
      .set({ enabled })
      .where(eq(notificationRules.rule_id, ruleId))
      .returning({ rule_id: notificationRules.rule_id });
    if (rows.length === 0) return false;
    await syncWatches(tx);
    await record(tx, actor, "notification-rule-changed", ruleId, { enabled });
    return true;
  });
}

/** Removes a rule. False: there is none. */
export function removeRule(db: Db, actor: Actor, ruleId: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [gone] = await tx.delete(notificationRules).where(eq(notificationRules.rule_id, ruleId)).returning();
    if (!gone) return false;
    await syncWatches(tx);
    const { kinds, server_id, game_id, target_id } = gone;
    await record(tx, actor, "notification-rule-removed", ruleId, { kinds, server_id, game_id, target_id });
    return true;
  });
}

function record(
  tx: Db,
  actor: Actor,
  what: "notification-rule-made" | "notification-rule-changed" | "notification-rule-removed",
  ruleId: number,
  details: Record<string, string | number | boolean | string[] | null>,
): Promise<void> {
  const subject = { type: "notification-rule", id: String(ruleId) };
  return recordAudit(tx, { what, actor_id: actor.user_id, origin: actor.origin, subject, details });
}

/** Lists the rules for the admin area; names are null for a rule about everything, or one to all admins. */
export async function listRules(db: Db) {
  const rows = await db
    .select({
      rule_id: notificationRules.rule_id,
      kinds: notificationRules.kinds,
      server_name: gameserver.server_name,
      game_name: games.game_name,
      with_hidden: notificationRules.with_hidden,
      after_s: notificationRules.after_s,
      enabled: notificationRules.enabled,
      channel: notificationTargets.kind,
      channel_name: notificationTargets.name,
      channel_dead: sql<boolean>`${notificationTargets.dead_at} is not null`,
    })
    .from(notificationRules)
    .leftJoin(gameserver, eq(gameserver.server_id, notificationRules.server_id))
    .leftJoin(games, eq(games.game_id, notificationRules.game_id))
    .leftJoin(notificationTargets, eq(notificationTargets.target_id, notificationRules.target_id))
    .orderBy(asc(notificationRules.rule_id));
  return rows.map(({ kinds, ...row }) => ({
    ...row,
    topics: RULE_TOPICS.filter((topic) => kindsOfTopics([topic]).some((kind) => kinds.includes(kind))),
  }));
}

/** Lists possible subjects of a rule by name: games and game servers, hidden ones too. */
export async function listRuleSubjects(db: Db) {
  const [ofGames, ofServers] = await Promise.all([
    db.select({ game_id: games.game_id, game_name: games.game_name }).from(games).orderBy(asc(games.game_name)),
    db
      .select({ server_id: gameserver.server_id, server_name: gameserver.server_name })
      .from(gameserver)
      .where(sql`${gameserver.lifecycle} <> 'retired'`)
      .orderBy(asc(gameserver.server_name), asc(gameserver.server_id)),
  ]);
  return { games: ofGames, servers: ofServers };
}

/** Stored once the default rules were created, so that removed ones don't come back. */
const MADE = "default_notification_rules";

/** Creates a site's default rules once (every admin, by mail), unless rules were created or removed before. */
export async function makeDefaultRules(db: Db): Promise<void> {
  const [made] = await db.select().from(siteSettings).where(eq(siteSettings.setting_key, MADE));
  if (made) return;
  await db.transaction(async (tx) => {
    const [first] = await tx
      .insert(siteSettings)
      .values({ setting_key: MADE, setting_value: true })
      .onConflictDoNothing()
      .returning();
    if (!first) return;
    await tx
      .insert(notificationRules)
      .values([{ kinds: kindsOfTopics(["outages"]), after_s: OUTAGE_S }, { kinds: kindsOfTopics(["troubles"]) }]);
  });
}

/** Creates a mailbox target for every admin without one. */
async function makeMailboxesOfAdmins(tx: Db): Promise<void> {
  const without = await tx
    .select({ user_id: roles.user_id, locale: profiles.locale })
    .from(roles)
    .innerJoin(profiles, eq(profiles.user_id, roles.user_id))
    .where(
      and(
        eq(roles.role, "admin"),
        sql`not exists (select from notification_targets t where t.user_id = ${roles.user_id} and t.kind = 'mail')`,
      ),
    );
  for (const { user_id, locale } of without) await registerMailbox(tx, user_id, locale);
}

/** Mailboxes of admins who can log in and want mails. */
const ADMINS = sql`
  select t.target_id from roles
  join users u on u.user_id = roles.user_id and u.email_verified
  join notification_targets t on t.user_id = u.user_id and t.kind = 'mail'
  left join notification_preferences p on p.user_id = u.user_id
  where roles.role = 'admin' and coalesce(p.mail_on, true)`;

/**
 * Lists the targets that rules choose for an event, with their delay in seconds: an outage waits for the rule's duration, and at
 * least an hour after the last one of the same game server sent there (checked again when it is due). The end of an outage goes
 * only where its beginning was sent.
 */
export async function listRuleTargets(
  tx: Db,
  { event_id, kind }: { event_id: number; kind: string },
): Promise<{ target_id: string; after_s: number }[]> {
  await makeDefaultRules(tx);
  const toAdmins = sql`${notificationRules.enabled} and ${notificationRules.target_id} is null and ${kind}::text = any(${notificationRules.kinds})`;
  if ((await tx.$count(notificationRules, toAdmins)) > 0) await makeMailboxesOfAdmins(tx);
  const { rows } = await tx.execute<{ target_id: string; after_s: number }>(sql`
    with event as (
      select e.event_id, e.kind, e.server_id, e.happened_at, coalesce(e.game_id, s.game_id) as game_id,
        coalesce(g.published, true) and coalesce(s.visibility, 'public') <> 'hidden' and not exists (
          select from ${serversOfIncident} and (beside.visibility = 'hidden' or not its_game.published)) as is_shown
      from notification_events e
      left join gameserver s on s.server_id = e.server_id
      left join games g on g.game_id = coalesce(e.game_id, s.game_id)
      where e.event_id = ${event_id}
    ), wish as (
      select coalesce(r.target_id, admin.target_id) as target_id, r.kinds, r.after_s, e.*
      from event e
      join notification_rules r on r.enabled and e.kind = any(r.kinds)
        and (r.game_id is null or r.game_id = e.game_id)
        and (r.server_id is null or r.server_id = e.server_id or (e.server_id is null
          and e.game_id = (select game_id from gameserver where server_id = r.server_id)))
        and (r.with_hidden or e.is_shown)
      left join (${ADMINS}) as admin on r.target_id is null
    ), told as (
      -- What each of them was told of this game server: outages, and what is told once an hour.
      select w.target_id, max(d.sent_at) filter (where b.kind = w.kind) as at,
        max(b.happened_at) filter (where b.kind = 'server_down') as outage_at
      from (select distinct target_id, server_id, kind from wish) as w
      join notification_deliveries d on d.target_id = w.target_id and d.state in ('sending', 'sent', 'doubtful')
      join notification_events b on b.event_id = d.event_id and b.server_id = w.server_id and b.kind in (w.kind, 'server_down')
      group by w.target_id
    )
    select w.target_id, min(case when w.kind = 'server_down' then greatest(w.after_s, coalesce(
      ceil(extract(epoch from t.at + interval '1 hour' - w.happened_at)), 0)) else 0 end)::int as after_s
    from wish w left join told t using (target_id)
    where w.target_id is not null
      -- A rule of a version that still let one be made: the public reads along there.
      and not (w.kind = any(${sql.param(kindsOfTopics([OWN_TOPIC]))}::text[])
        and (select ${isPublicKind(sql`kind`)} from notification_targets where target_id = w.target_id))
      and case w.kind
      when 'server_up' then not 'server_down' = any(w.kinds) or t.outage_at > coalesce((
        select max(b.happened_at) from notification_events b
        where b.server_id = w.server_id and b.kind = 'server_up' and b.event_id < w.event_id), '-infinity')
      when 'server_down' then true
      when 'server_full' then coalesce(t.at < now() - interval '1 hour', true)
      when 'seat_free' then coalesce(t.at < now() - interval '1 hour', true)
      else true end
    group by w.target_id`);
  return rows;
}
