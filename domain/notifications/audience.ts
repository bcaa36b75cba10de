// Who may be notified of what: the one rule, in SQL, for a target and an event's game server or game. Applied when deliveries are
// created and again before each is sent.
import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { users } from "#db/schema/index.ts";
import { SERVICE_KINDS, SERVICES } from "#outside/channels/services.ts";
import { isActiveMember } from "../accounts/active-members.ts";
import { kindsOfTopics } from "./event-kinds.ts";

/**
 * Game servers of an event's incident, by the alias e (event), as `beside` with their games as `its_game`; none for other events.
 * An incident's text may name each of them, whichever server the event itself is about.
 */
export const serversOfIncident: SQL = sql`incident_servers i
  join gameserver beside on beside.server_id = i.server_id
  join games its_game on its_game.game_id = beside.game_id
  where i.incident_id = case when e.kind = any(${sql.param(kindsOfTopics(["incidents"]))}::text[]) then e.subject_id::int end`;

/** Channels where anyone may read along: only what visitors may see goes there. */
const PUBLIC_KINDS = ["discord", ...SERVICE_KINDS.filter((kind) => SERVICES[kind].public)];

/** SQL: is a target of this kind read by the public? */
export const isPublicKind = (kind: SQL): SQL => sql`${kind} = any(${sql.param(PUBLIC_KINDS)}::text[])`;

/** SQL: may a target be notified of a game server? Needs its alias and the alias t. */
const mayHearOf = (server: SQL, byRule: SQL): SQL => sql`case
  when ${isPublicKind(sql`t.kind`)} then ${server}.visibility = 'public'
  when ${byRule} then true
  when t.user_id is not null then ${server}.visibility in ('public', 'members')
  else ${server}.visibility = 'public' end`;

/** SQL: may a target be notified of a game? Needs its alias and the alias t. */
const mayHearOfGame = (game: SQL, byRule: SQL): SQL =>
  sql`(${game}.published or (${byRule} and not ${isPublicKind(sql`t.kind`)}))`;

/**
 * SQL: may a target be notified of an event? It must be allowed to see everything that the event is about. Aliases: e (event), t
 * (target), u (its user), s (game server), g (game; of the server, or the event's own). `byRule`: an operators' rule requested it.
 * A public channel gets what visitors may see, either way.
 */
export const mayBeTold = (byRule: SQL): SQL<boolean> => sql<boolean>`coalesce(
  t.dead_at is null
  and (t.user_id is null or (u.user_id is not null and ${isActiveMember(alias(users, "u"))}))
  and (s.server_id is null or ${mayHearOf(sql`s`, byRule)})
  and (g.game_id is null or ${mayHearOfGame(sql`g`, byRule)})
  and not exists (select from ${serversOfIncident}
    and not (${mayHearOf(sql`beside`, byRule)} and ${mayHearOfGame(sql`its_game`, byRule)})), false)`;

/** SQL: may a member's mailbox receive notifications of follows? Aliases t, u and p (preferences). */
export const mailIsWanted: SQL<boolean> = sql<boolean>`(
  t.kind <> 'mail' or t.user_id is null or (u.email_verified and coalesce(p.mail_on, true)))`;

/** SQL: the end of a member's current quiet hours, by the alias p; null: none, or not now. */
export const quietUntil: SQL<Date | null> = sql<Date | null>`(
  select case when here.is_quiet then
    (date_trunc('day', here.at) + make_interval(mins => p.quiet_to::int)
      + case when p.quiet_to <= here.minute then interval '1 day' else interval '0' end) at time zone p.time_zone end
  from (
    select clock.at, clock.minute, case
      when p.quiet_from < p.quiet_to then clock.minute >= p.quiet_from and clock.minute < p.quiet_to
      when p.quiet_from > p.quiet_to then clock.minute >= p.quiet_from or clock.minute < p.quiet_to
      else false end as is_quiet
    from (
      select now() at time zone p.time_zone as at,
        extract(hour from now() at time zone p.time_zone)::int * 60
          + extract(minute from now() at time zone p.time_zone)::int as minute
    ) as clock
  ) as here)`;
