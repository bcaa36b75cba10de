/** What stands on the pages that phones are shown: words as long as they may be, without a gap to break at, and many rows. */
import type { AccessSite } from "./access-site.ts";

/** A German word of 80 letters, and what else nobody can break by reading. */
const WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
const MAIL_END = `@${"a-long-name-of-a-domain.".repeat(4)}example.org`;
const MANY = 240;
const MANY_GAME_SERVERS = 1000;
/** The address that such a name gets, as long as one may be. */
const SLUG = WORD.toLowerCase().replaceAll("ä", "ae").slice(0, 60);

/** Every text as long as its field allows, 10,000 players, a thousand game servers, messages by the hundred. The slug is another then. */
export async function makeMuch({ sql, values }: AccessSite): Promise<void> {
  const serverId = Number(values.serverId);
  const long = { en: `${WORD} `.repeat(3), de: `${WORD} `.repeat(3) };
  const step = {
    title: { en: WORD, de: WORD },
    text: { en: `${WORD} {address} `.repeat(4), de: `${WORD} {address} `.repeat(4) },
  };
  const link = {
    label: { en: WORD.slice(0, 60), de: WORD.slice(0, 60) },
    url: `https://example.org/${"a".repeat(200)}`,
  };
  await sql`
    insert into site_settings (setting_key, setting_value) values
      ('site_name', ${JSON.stringify(WORD)}), ('operator_name', ${JSON.stringify(WORD)}), ('court', ${JSON.stringify(WORD)}),
      ('tagline', ${JSON.stringify({ en: long.en.slice(0, 200), de: long.de.slice(0, 200) })}),
      ('operator_address', ${JSON.stringify(`${WORD}\n${WORD}`)}), ('contact_email', ${JSON.stringify(`a${MAIL_END}`)})
    on conflict (setting_key) do update set setting_value = excluded.setting_value`;
  await sql`
    update games set game_name = ${WORD}, game_acronym = 'WWWWWWWWWWWW', tagline = ${JSON.stringify({ en: WORD, de: WORD })}, description = ${JSON.stringify(long)},
      guide = ${JSON.stringify([step, { ...step, link }])}, guide_boxes = ${JSON.stringify([{ title: step.title, text: step.text, links: [link, link, link] }])}
    where game_slug in ('minecraft', 'valheim')`;
  await sql`update games set game_slug = ${SLUG} where game_slug = ${values.slug}`;
  values.slug = SLUG;
  await sql`
    update gameserver set server_name = ${WORD}, visibility = 'public', adapter = 'heartbeat', poll_interval_s = 3600, description = ${JSON.stringify(long)},
      host = ${`${"a-very-long-name-of-a-machine.".repeat(6)}example.org`}, game_port = 25565, version = left(${WORD}, 60), flavour = left(${WORD}, 40),
      server_locations = array[left(${WORD}, 60), 'São Paulo', 'Singapore'], mods = array(select left(n || ${WORD}, 80) from generate_series(1, 60) n),
      join_link = 'https://{host}/{port}'
    where server_id = ${serverId}`;
  await sql`
    insert into gameserver (game_id, server_name, visibility, adapter, poll_interval_s, host, game_port, lifecycle, server_locations)
    select (select game_id from games order by game_id offset n % 8 limit 1), left(n || ${WORD}, 80), case when n % 40 = 0 then 'hidden' else 'public' end,
      'heartbeat', 3600, 'machine-' || n || '.example.org', 1024 + n, case when n % 30 = 0 then 'maintenance' else 'active' end,
      array['Region ' || n % 20]
    from generate_series(1, ${MANY_GAME_SERVERS}) n`;
  await sql`
    update gameserver_live_metrics set status = 'online', user_online = 10000, user_max_measured = 10000, user_peak = 100000, user_peak_at = now(),
      status_since = now(), last_asked_at = now(), last_answered_at = now(), next_poll_at = now() + interval '1 hour', version_measured = ${WORD.slice(0, 60)},
      heartbeat_at = now(), heartbeat_players = 10000, heartbeat_max = 10000
    where server_id in (select server_id from gameserver where adapter = 'heartbeat')`;
  // Eight weeks by the hour, and a day by five minutes, of figures with five digits.
  for (const [table, step, back] of [
    ["5m", "5 minutes", "1 day"],
    ["1h", "1 hour", "56 days"],
    ["1d", "1 day", "56 days"],
  ] as const)
    await sql.unsafe(`
      insert into gameserver_rollup_${table} select ${serverId}, at, 9000, 10000, 95000, 10, 10, 300, 0
      from generate_series(date_bin('${step}', now() - interval '${back}', 'epoch'), now(), '${step}') at on conflict do nothing`);
  await sql`
    insert into contacts (name, email, message, locale, created_at)
    select left(${WORD}, 80), 'a' || n || ${MAIL_END}, repeat(${WORD}, 12), 'de', now() - n * interval '7 minutes' from generate_series(1, ${MANY}) n`;
  await sql`
    update contacts set name = ${WORD}, email = ${`a${MAIL_END}`}, message = repeat(${WORD}, 60),
      answers = ${JSON.stringify([{ text: WORD.repeat(4), at: new Date().toISOString() }])}
    where contact_id = ${Number(values.contactId)}`;
  const title = JSON.stringify({ en: WORD, de: WORD });
  const text = JSON.stringify({ en: `## ${WORD}\n\n- ${WORD}`, de: `## ${WORD}\n\n- ${WORD}` });
  await sql`update news set title = ${title}, text = ${text}`;
  await sql`update plans set title = ${title}`;
  await sql`update incidents set title = ${title}`;
  await sql`update incident_updates set text = ${JSON.stringify({ en: WORD.repeat(4), de: WORD.repeat(4) })}`;
  await sql`update notification_targets set name = left(${WORD}, 60), last_error = ${WORD} where name is not null`;
  await sql`update notification_deliveries set last_error = ${WORD}, answer = ${WORD.repeat(3)} where answer is not null`;
  await sql`update discord_cards set last_error = ${WORD} where last_error is not null`;
  await sql`update profiles set user_nick_name = ${"Wandering-Craftsperson-of-the-No"} where user_id = ${values.userId}`;
  await sql`update users set email = left(email, strpos(email, '@') - 1) || ${MAIL_END} where email like '%@example.org'`;
  await sql`
    insert into ip_blocks (network, reason, blocked_until) select ('2001:db8:ffff:' || n || '::/64')::cidr, left(${WORD}, 80), now() + interval '9 days'
    from generate_series(1, 9) n`;
  await sql`
    insert into invitations (code_hash, note, uses_left, expires_at) select 'hash' || n, ${WORD}, 99, now() + interval '9 days' from generate_series(1, 9) n`;
  await sql`
    insert into api_keys (user_id, key_hash, note, scopes, expires_at)
    select user_id, 'hash' || user_id, ${WORD}, array['admin:read', 'games:write', 'gameservers:write'], now() + interval '9 days' from users`;
  await sql`
    insert into passkeys (user_id, name, public_key, credential_id, counter, device_type, backed_up)
    select user_id, ${WORD}, '', user_id, 0, 'singleDevice', false from users`;
  await sql`
    insert into audit_events (actor_id, what, subject_type, subject_id, ip, user_agent, details)
    select user_id, 'sign-in-failed', 'user', user_id, '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', ${WORD.repeat(2)}, ${JSON.stringify({ email: `a${MAIL_END}` })}
    from users, generate_series(1, 30)`;
  await sql`update sessions set user_agent = ${WORD.repeat(2)}`;
}

/** As on the first day: games, and not one game server, message or block. */
export async function makeNone({ sql }: AccessSite): Promise<void> {
  await sql`delete from gameserver`;
  await sql`delete from contacts`;
  await sql`delete from ip_blocks`;
  await sql`delete from invitations`;
}
