// Published content of the demo: news, a weekly restart, and a past incident.
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { games, gameserver, incidents, incidentUpdates, news, newsAbout, plans } from "#db/schema/index.ts";

const DAY_MS = 86_400_000;
const TIME_ZONE = "Europe/Berlin";
/** It fails now and then anyway. */
const RESTARTED = "Valheim Modded";

/** By address, newest first; `days` ago. For everyone, or about one game. */
const NEWS = [
  {
    slug: "build-night-in-the-longhall",
    days: 2,
    game_slug: "valheim",
    title: { en: "Build night in the longhall", de: "Bauabend in der Langhalle" },
    text: {
      en: "The roof is on, the walls are not. On the next two evenings we finish the **longhall at the northern bay**, and everybody may bring wood.\n\n1. Take the portal in the square.\n2. Follow the torches to the water.\n3. Ask for a hammer.\n\nWhoever builds, eats: the cauldron is full.",
      de: "Das Dach ist drauf, die Wände fehlen. An den nächsten beiden Abenden machen wir die **Langhalle an der Nordbucht** fertig, und alle dürfen Holz mitbringen.\n\n1. Nimm das Portal auf dem Platz.\n2. Folge den Fackeln ans Wasser.\n3. Lass dir einen Hammer geben.\n\nWer baut, isst mit: Der Kessel ist voll.",
    },
  },
  {
    slug: "more-room-on-the-anarchy-map",
    days: 12,
    game_slug: "minecraft",
    title: { en: "More room on the anarchy map", de: "Mehr Platz auf der Anarchie-Karte" },
    text: {
      en: "The border moved out by five thousand blocks. Nothing out there is protected, as everywhere else, and nobody has been there yet.",
      de: "Die Grenze liegt jetzt fünftausend Blöcke weiter draußen. Geschützt ist dort nichts, wie überall, und noch niemand war da.",
    },
  },
  {
    slug: "our-rules-in-one-minute",
    days: 33,
    game_slug: null,
    title: { en: "Our rules in one minute", de: "Unsere Regeln in einer Minute" },
    text: {
      en: "We play for fun, and so does everybody else.\n\n- Be kind in the chat. Names of the dead are no jokes.\n- What somebody built stays, unless a game is about tearing it down.\n- Cheats end the evening, for you and for good.\n\nSomething is wrong? [Write to us](/contact); a person reads it.",
      de: "Wir spielen zum Spaß, und alle anderen auch.\n\n- Sei freundlich im Chat. Mit Namen von Toten macht man keine Witze.\n- Was jemand gebaut hat, bleibt stehen, außer das Spiel dreht sich ums Abreißen.\n- Wer schummelt, hat Feierabend, und zwar für immer.\n\nEtwas stimmt nicht? [Schreib uns](/contact); das liest ein Mensch.",
    },
  },
];

const PLAN_TITLE = { en: "Weekly restart, with new mods", de: "Wöchentlicher Neustart, mit neuen Mods" };
const INCIDENT_TITLE = { en: "Emails arrived late", de: "E-Mails kamen zu spät an" };
const UPDATES = [
  {
    en: "Codes to log in take up to half an hour. We are talking to our mail provider.",
    de: "Codes zum Einloggen brauchen bis zu einer halben Stunde. Wir sprechen mit unserem E-Mail-Anbieter.",
  },
  {
    en: "The provider has fixed it. Whatever was on its way has arrived.",
    de: "Der Anbieter hat es behoben. Was unterwegs war, ist angekommen.",
  },
];

/** Inserts them with past times, so no notifications are sent. For a new demo, once. */
export async function seedDemoTellings(db: Db): Promise<void> {
  const ago = (days: number, minutes = 0) => new Date(Date.now() - days * DAY_MS + minutes * 60_000);
  await db.transaction(async (tx) => {
    for (const { slug, title, text, days, game_slug } of NEWS) {
      const at = ago(days);
      const times = { starts_at: at, told_at: at, created_at: at, updated_at: at };
      const scope = game_slug === null ? "site" : "some";
      const [made] = await tx
        .insert(news)
        .values({ slug, title, text, scope, published: true, ...times })
        .returning({ news_id: news.news_id });
      if (!made || game_slug === null) continue;
      const about = await tx.select({ game_id: games.game_id }).from(games).where(eq(games.game_slug, game_slug));
      for (const { game_id } of about) await tx.insert(newsAbout).values({ news_id: made.news_id, game_id });
    }
    const [server] = await tx.select().from(gameserver).where(eq(gameserver.server_name, RESTARTED));
    if (server) {
      await tx.insert(plans).values({
        kind: "restart",
        server_id: server.server_id,
        title: PLAN_TITLE,
        first_local: lastSundayAtFour(),
        time_zone: TIME_ZONE,
        repeats: "weekly",
        minutes: 10,
      });
    }
    const [opened, closed] = [ago(9), ago(9, 47)];
    const [incident] = await tx
      .insert(incidents)
      .values({
        about: "site",
        title: INCIDENT_TITLE,
        opened_at: opened,
        published_at: opened,
        closed_at: closed,
        created_at: opened,
        updated_at: closed,
      })
      .returning({ incident_id: incidents.incident_id });
    const incident_id = incident?.incident_id ?? 0;
    await tx
      .insert(incidentUpdates)
      .values(UPDATES.map((text, place) => ({ incident_id, text, created_at: place === 0 ? opened : closed })));
  });
}

/** Local time there: 2026-11-22T04:00. */
function lastSundayAtFour(): string {
  const today = Temporal.Now.plainDateISO(TIME_ZONE);
  return today
    .subtract({ days: today.dayOfWeek === 7 ? 7 : today.dayOfWeek })
    .toPlainDateTime("04:00")
    .toString({ smallestUnit: "minute" });
}

/** Removes them if unchanged: anything an admin has edited has another time of change. */
export async function removeDemoTellings(tx: Db): Promise<void> {
  const isNamed = (own: typeof news | typeof plans | typeof incidents, title: object) =>
    sql`${own.title} = ${JSON.stringify(title)}::jsonb`;
  for (const { slug, title } of NEWS)
    await tx.delete(news).where(and(eq(news.slug, slug), isNamed(news, title), eq(news.updated_at, news.created_at)));
  await tx.delete(plans).where(and(isNamed(plans, PLAN_TITLE), eq(plans.updated_at, plans.created_at)));
  await tx
    .delete(incidents)
    .where(and(isNamed(incidents, INCIDENT_TITLE), eq(incidents.updated_at, incidents.closed_at)));
}
