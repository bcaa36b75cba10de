// Texts for Discord, in both languages.
import type { Locale } from "#shared/locale.ts";
import type { ShownStatus } from "#shared/statuses.ts";

type Texts = {
  status: Record<ShownStatus, string>;
  players: (n: string, one: boolean) => string;
  online: (up: string, all: string) => string;
  of: (online: string, most: string) => string;
  wentDown: (ago: string) => string;
  changed: (ago: string) => string;
  asOf: (ago: string) => string;
  delayed: (ago: string) => string;
  more: (n: string, site: string) => string;
  none: string;
  notShown: string;
  game: string;
  map: string;
  version: string;
  address: string;
  join: string;
  page: string;
  follow: string;
  followServer: (server: string) => string;
  followSite: string;
  unknownServer: string;
  which: string;
  unknownCommand: string;
};

export const TEXTS: Record<Locale, Texts> = {
  en: {
    status: {
      online: "Online",
      degraded: "Checking",
      offline: "Offline",
      unknown: "Unknown",
      maintenance: "Maintenance",
      inactive: "Inactive",
    },
    players: (n, one) => `**${n}** ${one ? "player" : "players"}`,
    online: (up, all) => `**${up} of ${all}** servers online`,
    of: (online, most) => `${online} / ${most}`,
    wentDown: (ago) => `went down ${ago}`,
    changed: (ago) => `last change ${ago}`,
    asOf: (ago) => `As of ${ago}`,
    delayed: (ago) => `The site itself is in trouble: these figures are from ${ago}.`,
    more: (n, site) => `… and ${n} more on ${site}`,
    none: "There is no game server to show.",
    notShown: "This game server is not public at the moment.",
    game: "Game",
    map: "Map",
    version: "Version",
    address: "Address",
    join: "Join",
    page: "All about it",
    follow: "Choose what you are told",
    followServer: (server) =>
      `The site tells you when **${server}** is back up, has a free seat, or fills up. You need no account.`,
    followSite:
      "The site tells you when a game server is back up, has a free seat, or fills up. You need no account: choose one there.",
    unknownServer: "There is no game server of that name here. Begin to type, and choose one of the list.",
    which: "Several game servers are called like that. Which one?",
    unknownCommand: "The site does not know this command any more. An admin can register the commands anew.",
  },
  de: {
    status: {
      online: "Online",
      degraded: "Wird geprüft",
      offline: "Offline",
      unknown: "Unbekannt",
      maintenance: "Wartung",
      inactive: "Inaktiv",
    },
    players: (n) => `**${n}** Spieler`,
    online: (up, all) => `**${up} von ${all}** Gameservern online`,
    of: (online, most) => `${online} / ${most}`,
    wentDown: (ago) => `ausgefallen ${ago}`,
    changed: (ago) => `letzter Wechsel ${ago}`,
    asOf: (ago) => `Stand: ${ago}`,
    delayed: (ago) => `Die Seite selbst hat gerade Probleme. Stand dieser Zahlen: ${ago}.`,
    more: (n, site) => `… und ${n} weitere auf ${site}`,
    none: "Es gibt gerade keinen Gameserver zu zeigen.",
    notShown: "Dieser Gameserver ist zurzeit nicht öffentlich.",
    game: "Spiel",
    map: "Karte",
    version: "Version",
    address: "Adresse",
    join: "Beitreten",
    page: "Alles darüber",
    follow: "Wähle, was du erfährst",
    followServer: (server) =>
      `Die Seite sagt dir Bescheid, wenn **${server}** wieder läuft, ein Platz frei wird oder er sich füllt. Du brauchst dafür kein Konto.`,
    followSite:
      "Die Seite sagt dir Bescheid, wenn ein Gameserver wieder läuft, ein Platz frei wird oder er sich füllt. Du brauchst dafür kein Konto: Wähle dort einen aus.",
    unknownServer: "Einen Gameserver dieses Namens gibt es hier nicht. Tippe den Anfang und wähle einen aus der Liste.",
    which: "Mehrere Gameserver heißen so. Welcher ist gemeint?",
    unknownCommand: "Diesen Befehl kennt die Seite nicht mehr. Ein Admin kann die Befehle neu anmelden.",
  },
};
