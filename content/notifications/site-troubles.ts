// Texts for operators about the site's own problems: what is wrong, and how to fix it.

export const TROUBLES = ["backup", "disk", "mail", "certificate", "collector", "channel", "database"] as const;
export type Trouble = (typeof TROUBLES)[number];

/** Data for the texts. */
export type TroubleFacts = {
  /** Error of the failed program; English. */
  reason?: string | null;
  /** Of the disk, in bytes. */
  free?: number;
  total?: number;
  /** Of the certificate; negative: expired. */
  days?: number;
  /** Of failed channels. */
  names?: string[];
};

type Words = { title: string; text: string };
type Written = { en(facts: TroubleFacts): Words; de(facts: TroubleFacts): Words; path: string };

const gigabytes = (bytes: number | undefined, locale: string): string =>
  `${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format((bytes ?? 0) / 1e9)} GB`;

const WORDS: Record<Trouble, Written> = {
  backup: {
    en: ({ reason }) => ({
      title: "The site is not backed up",
      text: reason ? `The last try failed: ${reason}` : "No backup was made for longer than planned.",
    }),
    de: ({ reason }) => ({
      title: "Die Seite wird nicht gesichert",
      text: reason ? `Der letzte Versuch scheiterte: ${reason}` : "Es gab länger kein Backup als vorgesehen.",
    }),
    path: "/admin/dashboard",
  },
  disk: {
    en: ({ free, total }) => ({
      title: "The disk is nearly full",
      text: `${gigabytes(free, "en")} of ${gigabytes(total, "en")} are free. Make room before the database stops.`,
    }),
    de: ({ free, total }) => ({
      title: "Die Festplatte ist fast voll",
      text: `${gigabytes(free, "de")} von ${gigabytes(total, "de")} sind frei. Schaffe Platz, bevor die Datenbank stehen bleibt.`,
    }),
    path: "/admin/dashboard",
  },
  mail: {
    en: ({ reason }) => ({
      title: "Mails do not get out",
      text: reason ? `The mail server says: ${reason}` : "The mail server takes none.",
    }),
    de: ({ reason }) => ({
      title: "Es gehen keine Mails raus",
      text: reason ? `Der Mailserver sagt: ${reason}` : "Der Mailserver nimmt keine an.",
    }),
    path: "/admin/notifications",
  },
  certificate: {
    en: ({ days = 0 }) => ({
      title: days < 0 ? "The certificate has ended" : "The certificate ends soon",
      text:
        days < 0
          ? "Browsers refuse the site until it is renewed."
          : `It is good for ${days} more ${days === 1 ? "day" : "days"}. Renew it before browsers refuse the site.`,
    }),
    de: ({ days = 0 }) => ({
      title: days < 0 ? "Das Zertifikat ist abgelaufen" : "Das Zertifikat läuft bald ab",
      text:
        days < 0
          ? "Browser weisen die Seite ab, bis es erneuert ist."
          : `Es gilt noch ${days} ${days === 1 ? "Tag" : "Tage"}. Erneuere es, bevor Browser die Seite abweisen.`,
    }),
    path: "/admin/dashboard",
  },
  collector: {
    en: () => ({
      title: "Nobody watches the game servers",
      text: "The collector is silent. Statuses and players stay as they were until it runs again.",
    }),
    de: () => ({
      title: "Niemand beobachtet die Gameserver",
      text: "Der Collector schweigt. Status und Spieler bleiben stehen, bis er wieder läuft.",
    }),
    path: "/admin/dashboard",
  },
  channel: {
    en: ({ names = [] }) => ({
      title: "A channel was given up",
      text: `Nothing arrived for three days, or it says that it is gone: ${names.join(", ")}`,
    }),
    de: ({ names = [] }) => ({
      title: "Ein Kanal wurde aufgegeben",
      text: `Drei Tage lang kam nichts an, oder er meldet, dass es ihn nicht mehr gibt: ${names.join(", ")}`,
    }),
    path: "/admin/notifications/channels",
  },
  database: {
    en: () => ({
      title: "The database took no writes",
      text: "Nothing could be saved meanwhile; history has a gap. Look at its disk and its log.",
    }),
    de: () => ({
      title: "Die Datenbank nahm nichts an",
      text: "In der Zeit ließ sich nichts speichern, der Verlauf hat eine Lücke. Sieh nach Platte und Protokoll.",
    }),
    path: "/admin/dashboard",
  },
};

/** Returns the texts of a problem's event in both languages, and its page. */
export function troubleTexts(trouble: Trouble, facts: TroubleFacts) {
  const { en, de, path } = WORDS[trouble];
  const [english, german] = [en(facts), de(facts)];
  return {
    trouble,
    path,
    title: { en: english.title, de: german.title },
    text: { en: english.text, de: german.text },
  };
}

/** Returns the texts for its end. */
export function troubleOverTexts(trouble: Trouble, facts: TroubleFacts, minutes: number) {
  const { path, title } = troubleTexts(trouble, facts);
  const span = (locale: "en" | "de"): string => {
    const hours = Math.round(minutes / 60);
    const [count, unit] =
      minutes < 100 ? [Math.max(1, minutes), "minute"] : hours < 48 ? [hours, "hour"] : [Math.round(hours / 24), "day"];
    return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count);
  };
  return {
    trouble,
    path,
    title,
    text: { en: `It lasted about ${span("en")}.`, de: `Es dauerte etwa ${span("de")}.` },
  };
}
