/** "Tell me" in each of its states, news, incidents, plans, and what operators see of all that: with much to tell, and with nothing. */
import type { Page } from "@playwright/test";
import type { Sql } from "#db/sql.ts";
import { untilAlive } from "../e2e/alive.ts";
import type { FormSite } from "../e2e/form-site.ts";
import { makeUpPush } from "../e2e/made-up-push.ts";
import type { Shot } from "./camera.ts";

const AT: Shot["at"] = [
  [1440, ["dark", "light"]],
  [360, ["dark", "light"]],
];

/** 80 characters, the most that a name has. */
const LONG = "Donaudampfschifffahrtsgesellschaft of the Extraordinarily Long-Winded Wanderers!";

/** A game server with a long name that is down, and in the middle of much that is told of it. */
export async function addTellings({ sql, values }: FormSite): Promise<void> {
  const server = Number(values.serverId);
  await sql`
    update gameserver set visibility = 'public', server_name = ${LONG}, host = '127.0.0.1', game_port = 25599, query_port = null
    where server_id = ${server}`;
  await sql`
    update gameserver_live_metrics set status = 'offline', status_since = now() - interval '7 minutes', last_asked_at = now()
    where server_id = ${server}`;
  await sql`
    insert into news (slug, title, text, published, pinned, starts_at)
    select 'news-' || n, jsonb_build_object('en', 'Week ' || n || ' of the harvest', 'de', 'Geschwindigkeitsbegrenzungsaufhebung ' || n),
      jsonb_build_object('en', E'Everybody may **take part**.\\n\\n1. Come\\n2. See\\n3. Play', 'de', 'Alle dürfen *mitmachen*.'),
      true, false, now() - n * interval '3 days' from generate_series(1, 14) n`;
  await sql`insert into news_about (news_id, server_id) values (${Number(values.newsId)}, ${server})`;
  const [plan] = await sql<{ plan_id: number }[]>`
    insert into plans (kind, server_id, first_local, time_zone, repeats, minutes, due_at)
    values ('restart', ${server}, to_char(now() + interval '40 minutes', 'YYYY-MM-DD"T"HH24:MI'), 'UTC', 'daily', 15, null) returning plan_id`;
  await sql`
    insert into plan_occurrences (plan_id, starts_at, ends_at)
    values (${plan?.plan_id ?? 0}, now() + interval '40 minutes', now() + interval '55 minutes')`;
  const [incident] = await sql<{ incident_id: number }[]>`
    insert into incidents (about, title, by_outage, opened_at, published_at)
    values ('servers', jsonb_build_object('en', ${LONG} || ' is down', 'de', ${LONG} || ' ist nicht erreichbar'), true,
      now() - interval '7 minutes', now()) returning incident_id`;
  await sql`
    insert into incident_servers (incident_id, server_id, down_since)
    values (${incident?.incident_id ?? 0}, ${server}, now() - interval '7 minutes')`;
  await sql`
    insert into incident_updates (incident_id, text)
    select ${incident?.incident_id ?? 0}, '{"en":"We are looking for the cause.","de":"Wir suchen die Ursache."}' from generate_series(1, 3)`;
  await addChannels(sql, server);
}

async function addChannels(sql: Sql, server: number): Promise<void> {
  const [discord] = await sql<{ target_id: string }[]>`
    insert into notification_targets (kind, name, address_hash, last4)
    values ('discord', 'Ankündigungen und Serverstatusmeldungen', 'in discord', 'x7Qk') returning target_id`;
  const id = discord?.target_id ?? "";
  await sql`
    insert into notification_targets (kind, name, address_hash, last4, dead_at, last_error)
    values ('webhook', 'Benachrichtigungsweiterleitungsdienst der Mannschaft', 'far away', 'a-very-long-name-of-a-machine.example.org', now(), 'dns'),
      ('mail', 'Bereitschaft', 'the team', 'bereitschaft@example.org', null, null)`;
  await sql`
    insert into discord_cards (target_id, kind, server_id, locale, state, message_id, last_error)
    values (${id}, 'server', ${server}, 'de', 'removed', '1', null), (${id}, 'site', null, 'de', 'shown', '2', null)`;
  await sql`
    insert into notification_rules (kinds, target_id, after_s, server_id)
    values ('{server_down,server_up,plan_soon,news,incident_opened,incident_updated,incident_closed}', ${id}, 0, null),
      ('{server_full,seat_free}', null, 0, ${server})`;
  await sql`
    insert into notification_deliveries (event_id, target_id, channel, state, attempts, last_error, next_attempt_at, created_at)
    select (select max(event_id) from notification_events), ${id}, 'discord', state, n, reason,
      case when state = 'waiting' then now() + n * interval '5 minutes' end, now() - n * interval '1 hour'
    from generate_series(1, 9) n cross join unnest(array['failed', 'waiting', 'expired', 'dead'],
      array['the site cannot open its address any more', 'status', 'timeout', 'the connection broke']) as given (state, reason)`;
}

/** As on the first day: nobody has written, planned, connected or followed anything. */
export async function removeTellings(sql: Sql): Promise<void> {
  await sql`truncate news, plans, incidents, notification_events, notification_targets, notification_rules, notification_deliveries cascade`;
}

/** What stands in the way of web push in a browser, made up. */
type Way = Parameters<typeof makeUpPush>[0] | "unable" | "home screen";

function tellMe(name: string, way: Way, { serverId }: FormSite["values"], who: Shot["who"] = "nobody"): Shot {
  return {
    name: `tell--me-${name}`,
    who,
    address: `/servers/${serverId}`,
    at: AT,
    onScreen: true,
    act: async (page) => {
      await page.addInitScript(() => localStorage.removeItem("spawnpoint-told"));
      if (way === "unable" || way === "home screen") await page.addInitScript(takePushAway, way);
      else await page.addInitScript(makeUpPush, way);
      await page.reload();
      await untilAlive(page);
      await press(page);
    },
  };
}

async function press(page: Page): Promise<void> {
  await page
    .locator("main button[aria-haspopup=dialog]")
    .filter({ hasText: /Tell me|Sag mir/ })
    .click();
  await page.getByRole("dialog").waitFor();
  // The site answers, or the browser asks.
  await page.waitForTimeout(700);
}

/** Runs in the browser. */
function takePushAway(way: string): void {
  Reflect.deleteProperty(window, "PushManager");
  if (way !== "home screen") return;
  Object.defineProperty(navigator, "standalone", { value: false });
  Object.defineProperty(navigator, "maxTouchPoints", { value: 5 });
}

const ADMIN = "/admin/notifications";

export function listTellings({ values }: FormSite): Shot[] {
  const place = (name: string, who: Shot["who"], address: string): Shot => ({
    name: `tell--${name}`,
    who,
    address,
    at: AT,
  });
  return [
    { ...place("server", "nobody", `/servers/${values.serverId}`), firstView: true },
    tellMe("asking", "asking", values),
    tellMe("on", "granted", values),
    tellMe("refused", "denied", values),
    tellMe("unable", "unable", values),
    tellMe("home-screen", "home screen", values),
    tellMe("unable-member", "unable", values, "member"),
    place("dashboard", "nobody", "/dashboard"),
    place("news", "nobody", "/news"),
    place("article", "nobody", "/news/first"),
    place("status", "nobody", "/status"),
    place("following", "member", "/following"),
    place("member-settings", "member", "/user/settings/notifications"),
    place("admin-news", "admin", "/admin/news"),
    place("admin-news-form", "admin", `/admin/news/${values.newsId}/edit`),
    place("admin-status", "admin", "/admin/status"),
    place("admin-plan", "admin", `/admin/status/plans/${values.planId}`),
    place("admin-plan-new", "admin", "/admin/status/plans/create"),
    place("admin-incident", "admin", `/admin/status/incidents/${values.incidentId}`),
    place("admin-failing", "admin", ADMIN),
    place("admin-dead", "admin", `${ADMIN}?part=dead`),
    place("admin-waiting", "admin", `${ADMIN}?part=waiting`),
    place("admin-channels", "admin", `${ADMIN}/channels`),
    place("admin-channel", "admin", `${ADMIN}/channels/${values.targetId}`),
    place("admin-rules", "admin", `${ADMIN}/rules`),
    place("admin-discord", "admin", `${ADMIN}/discord`),
  ];
}

/** Pages that have nothing to show on a young site. */
export const UNTOLD: Shot[] = (
  [
    ["nobody", "/news"],
    ["nobody", "/status"],
    ["nobody", "/following"],
    ["member", "/following"],
    ["member", "/user/settings/notifications"],
    ["admin", "/admin/news"],
    ["admin", "/admin/status"],
    ["admin", ADMIN],
    ["admin", `${ADMIN}/channels`],
    ["admin", `${ADMIN}/rules`],
    ["admin", `${ADMIN}/discord`],
  ] as const
).map(([who, address]) => ({ name: `tell--empty-${who}${address.replaceAll("/", "-")}`, who, address, at: AT }));
