// The set-up checklist: which steps are done, which were skipped, and what each still lacks. Done steps follow from the site's
// data; only skipped ones are stored.
import { inArray, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { games, gameserver, siteSettings } from "#db/schema/index.ts";
import { ASKED_ADAPTERS } from "#shared/adapters.ts";
import { type Actor, recordAudit } from "./audit.ts";
import { readBackupState } from "./backups.ts";
import { lockSettings, readSiteSettings, type SiteSettings, siteSettingsShape, storeSettings } from "./settings.ts";

/** The steps in order. */
const SETUP_STEPS = ["brand", "games", "servers", "contact", "legal", "mail", "backup"] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

/** Settings whose absence visitors notice. `mail_server` is set outside of the site. */
const MISSABLE = {
  contact: ["discord_url", "contact_email"],
  legal: ["operator_name", "operator_address"],
  mail: ["mail_server"],
} as const;
export type MissingSetting = (typeof MISSABLE)[keyof typeof MISSABLE][number];

export type SetupStepState = {
  step: SetupStep;
  done: boolean;
  /** An admin skipped it; it can still be done later. */
  skipped: boolean;
  /** Names of what is missing, where there are any. */
  missing: MissingSetting[];
};

export type Setup = {
  steps: SetupStepState[];
  /** Visitors can see a game server. */
  live: boolean;
  /** The dashboard's checklist is dismissed. */
  put_away: boolean;
};

/** Configured outside of the site. `backups`: they run automatically. */
type Outside = { mailsGoOut: boolean; backups: boolean };

/** A backup made by hand, or by an operator's timer, counts for this long. */
const RECENT_BACKUP_S = 7 * 86_400;

/** Reads the state of each step from the site's data. */
export async function readSetup(db: Db, outside: Outside): Promise<Setup> {
  const [settings, marks, there, backup] = await Promise.all([
    readSiteSettings(db),
    readMarks(db),
    countWhatIsThere(db),
    readBackupState(db),
  ]);
  const missing = listMissingSettings(settings, outside.mailsGoOut);
  const done: Record<SetupStep, boolean> = {
    brand: isNamed(settings) || settings.logo !== null,
    games: there.games > 0,
    servers: there.servers > 0,
    contact: missing.contact.length === 0,
    legal: missing.legal.length === 0,
    mail: missing.mail.length === 0,
    backup: outside.backups || (backup.age_s !== null && backup.age_s < RECENT_BACKUP_S),
  };
  return {
    steps: SETUP_STEPS.map((step) => ({
      step,
      done: done[step],
      skipped: !done[step] && marks.skipped.includes(step),
      missing: step in missing ? missing[step as keyof typeof missing] : [],
    })),
    live: there.shown > 0,
    put_away: marks.put_away,
  };
}

/** True if the site has a name of its own. */
export const isNamed = ({ site_name }: Pick<SiteSettings, "site_name">): boolean =>
  site_name !== siteSettingsShape.parse({}).site_name;

/** The first step that was neither done nor skipped; null: there is none. */
export const nextSetupStep = ({ steps }: Setup): SetupStep | null =>
  steps.find(({ done, skipped }) => !done && !skipped)?.step ?? null;

/** Lists the empty settings of each settings step. */
export function listMissingSettings(
  settings: SiteSettings,
  mailsGoOut: boolean,
): Record<keyof typeof MISSABLE, MissingSetting[]> {
  const isMissing = (name: MissingSetting) => (name === "mail_server" ? !mailsGoOut : settings[name] === "");
  return {
    contact: MISSABLE.contact.filter(isMissing),
    legal: MISSABLE.legal.filter(isMissing),
    mail: MISSABLE.mail.filter(isMissing),
  };
}

/** Counts game servers that can be watched: a record that can't be polled and gets no heartbeats is only a note. */
async function countWhatIsThere(db: Db): Promise<{ games: number; servers: number; shown: number }> {
  const watched = sql`(${gameserver.host} is not null or not ${inArray(gameserver.adapter, ASKED_ADAPTERS)})`;
  const [all, [servers]] = await Promise.all([
    db.$count(games),
    db
      .select({
        all: sql<number>`count(*)`.mapWith(Number),
        shown: sql<number>`count(*) filter (where ${gameserver.visibility} = 'public')`.mapWith(Number),
      })
      .from(gameserver)
      .where(watched),
  ]);
  return { games: all, servers: servers?.all ?? 0, shown: servers?.shown ?? 0 };
}

const SKIPPED = "setup_skipped";
const PUT_AWAY = "setup_put_away";

async function readMarks(db: Db): Promise<{ skipped: SetupStep[]; put_away: boolean }> {
  const rows = await db
    .select({ key: siteSettings.setting_key, value: siteSettings.setting_value })
    .from(siteSettings)
    .where(inArray(siteSettings.setting_key, [SKIPPED, PUT_AWAY]));
  const marks = new Map(rows.map(({ key, value }) => [key, value]));
  const skipped = marks.get(SKIPPED);
  return {
    skipped: Array.isArray(skipped) ? SETUP_STEPS.filter((step) => skipped.includes(step)) : [],
    put_away: marks.get(PUT_AWAY) === true,
  };
}

/** Records that an admin skipped a step. */
export const skipSetupStep = (db: Db, actor: Actor, step: SetupStep): Promise<void> =>
  mark(db, actor, SKIPPED, ({ skipped }) => SETUP_STEPS.filter((each) => each === step || skipped.includes(each)));

/** Dismisses the checklist for every admin, or restores it. */
export const putSetupAway = (db: Db, actor: Actor, away: boolean): Promise<void> =>
  mark(db, actor, PUT_AWAY, () => away);

async function mark(
  db: Db,
  actor: Actor,
  key: typeof SKIPPED | typeof PUT_AWAY,
  change: (marks: Awaited<ReturnType<typeof readMarks>>) => SetupStep[] | boolean,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockSettings(tx);
    const marks = await readMarks(tx);
    const before = key === SKIPPED ? marks.skipped : marks.put_away;
    const after = change(marks);
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    await storeSettings(tx, [{ setting_key: key, setting_value: after }]);
    await recordAudit(tx, {
      what: "settings-changed",
      actor_id: actor.user_id,
      origin: actor.origin,
      subject: { type: "settings", id: "" },
      details: { before: { [key]: before }, after: { [key]: after } },
    });
  });
}
