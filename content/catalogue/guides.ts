// Builds the first guide of a catalogue game: a few ways to join, worded for any game. Admins can edit it.
import type { GuideItem } from "#db/schema/games.ts";
import type { CatalogueGame, GuideKind } from "./catalogue-game.ts";

type Told = Pick<CatalogueGame, "name" | "joinLink" | "password">;

const start = ({ name }: Told): GuideItem => ({
  title: { en: `Start ${name}`, de: `${name} starten` },
  text: {
    en: "Update it first: most game servers turn other versions away.",
    de: "Aktualisiere es vorher: Die meisten Gameserver weisen andere Versionen ab.",
  },
});

/** Steam's own server list queries the given address, as the connect link does. */
const isKnownToSteam = ({ joinLink }: Told) => joinLink?.startsWith("steam://connect/") === true;

const KINDS: Record<GuideKind, (game: Told) => GuideItem[]> = {
  steam: (game) => [
    {
      title: { en: `Install ${game.name} on Steam`, de: `${game.name} über Steam installieren` },
      text: {
        en: "Let Steam update it, too: most game servers turn other versions away.",
        de: "Lass Steam es auch aktualisieren: Die meisten Gameserver weisen andere Versionen ab.",
      },
    },
    {
      title: { en: "Press Join", de: "„Beitreten“ drücken" },
      text: {
        en: "The button is beside {name}. Your browser asks whether it may open Steam: allow it, and Steam starts the game and takes you in.",
        de: "Der Knopf steht bei {name}. Dein Browser fragt, ob er Steam öffnen darf: Erlaube es, dann startet Steam das Spiel und bringt dich hinein.",
      },
    },
    isKnownToSteam(game)
      ? {
          title: { en: "Or keep it in your favourites", de: "Oder in den Favoriten behalten" },
          text: {
            en: "In Steam open View, then Game Servers, then Favorites. Press the plus sign, enter {address}, and connect from there whenever you like.",
            de: "Öffne in Steam „Anzeigen“, dann „Spieleserver“, dann „Favoriten“. Drücke das Pluszeichen, gib {address} ein und verbinde dich von dort, wann du willst.",
          },
        }
      : {
          title: { en: "Or enter the address yourself", de: "Oder die Adresse selbst eingeben" },
          text: {
            en: "If the button does nothing, start the game, open its list of game servers, and enter {address} where it asks for one.",
            de: "Tut der Knopf nichts, starte das Spiel, öffne seine Serverliste und gib {address} ein, wo es nach einer Adresse fragt.",
          },
        },
  ],
  address: (game) => [
    start(game),
    {
      title: { en: "Open multiplayer", de: "Den Mehrspielermodus öffnen" },
      text: {
        en: "Look for a choice such as Direct Connect, Join by IP or Add Server.",
        de: "Suche nach einer Auswahl wie „Direktverbindung“ (Direct Connect), „IP beitreten“ (Join by IP) oder „Server hinzufügen“ (Add Server).",
      },
    },
    {
      title: { en: "Enter the address", de: "Die Adresse eingeben" },
      text: {
        en: "Enter {address}. Where host and port have fields of their own, the host is {host} and the port {port}.",
        de: "Gib {address} ein. Haben Host und Port eigene Felder, ist der Host {host} und der Port {port}.",
      },
    },
  ],
  console: (game) => [
    start(game),
    {
      title: { en: "Open the console", de: "Die Konsole öffnen" },
      text: {
        en: "Press the key left of the 1. If nothing opens, switch the console on in the settings of the game first.",
        de: "Drücke die Taste links neben der 1. Öffnet sich nichts, schalte die Konsole zuerst in den Einstellungen des Spiels ein.",
      },
    },
    {
      title: { en: "Connect", de: "Verbinden" },
      text: {
        en: "Type connect {address} and press Enter.",
        de: "Tippe connect {address} und drücke die Eingabetaste.",
      },
    },
  ],
  browser: (game) => [
    start(game),
    {
      title: { en: "Open the list of game servers", de: "Die Serverliste öffnen" },
      text: {
        en: "Choose multiplayer in the main menu. Where there are several lists, ours is among the community, unofficial or private game servers.",
        de: "Wähle im Hauptmenü den Mehrspielermodus. Gibt es mehrere Listen, steht unserer bei den Community-, inoffiziellen oder privaten Servern.",
      },
    },
    {
      title: { en: "Search for the name", de: "Nach dem Namen suchen" },
      text: {
        en: "Type {name} into the search. If nothing comes up, clear the filters and refresh the list.",
        de: "Tippe {name} in die Suche. Kommt nichts, lösche die Filter und lade die Liste neu.",
      },
    },
    {
      title: { en: "Join", de: "Beitreten" },
      text: {
        en: "Choose {name} and join. Where the game takes an address instead, it is {address}.",
        de: "Wähle {name} und tritt bei. Nimmt das Spiel stattdessen eine Adresse, ist es {address}.",
      },
    },
  ],
  code: (game) => [
    start(game),
    {
      title: { en: "Choose to join by code", de: "Den Beitritt per Code wählen" },
      text: {
        en: "Look for a choice such as Join by Code, Invite Code or Game ID in the multiplayer menu.",
        de: "Suche im Mehrspielermenü nach einer Auswahl wie „Join by Code“, „Einladungscode“ (Invite Code) oder „Spiel-ID“ (Game ID).",
      },
    },
    {
      title: { en: "Enter the join code", de: "Den Beitrittscode eingeben" },
      text: {
        en: "Copy the join code of {name} on this page and paste it into the game.",
        de: "Kopiere den Beitrittscode von {name} auf dieser Seite und füge ihn im Spiel ein.",
      },
    },
  ],
  client: (game) => [
    {
      title: { en: `Get the client for ${game.name}`, de: `Den Client für ${game.name} holen` },
      text: {
        en: "This game is not joined from its own menu, but with a client or launcher made by its community.",
        de: "Diesem Spiel trittst du nicht über sein eigenes Menü bei, sondern mit einem Client oder Launcher aus seiner Community.",
      },
      links: [{ label: { en: "Download the client", de: "Client herunterladen" }, url: "{link:client}" }],
    },
    {
      title: { en: "Install and start it", de: "Installieren und starten" },
      text: {
        en: "Put it into a folder of its own, and let it finish its updates before you go on.",
        de: "Lege ihn in einen eigenen Ordner, und lass ihn seine Updates beenden, bevor du weitermachst.",
      },
    },
    {
      title: { en: "Connect", de: "Verbinden" },
      text: {
        en: "If it asks where to, enter {address}. A client that was made for one game server knows it already.",
        de: "Fragt er, wohin, gib {address} ein. Ein Client, der für einen einzigen Gameserver gemacht ist, kennt ihn schon.",
      },
    },
  ],
  voice: (game) => [
    {
      title: { en: `Install ${game.name}`, de: `${game.name} installieren` },
      text: {
        en: "It is free. Let it find your microphone at its first start.",
        de: "Es ist kostenlos. Lass es beim ersten Start dein Mikrofon finden.",
      },
    },
    {
      title: { en: "Connect", de: "Verbinden" },
      text: {
        en: "Add a server with {host} as its address and {port} as its port, and connect.",
        de: "Füge einen Server mit {host} als Adresse und {port} als Port hinzu und verbinde dich.",
      },
    },
    {
      title: { en: "Say who you are", de: "Sagen, wer du bist" },
      text: {
        en: "Take the name that people know you by here, and say hello.",
        de: "Nimm den Namen, unter dem man dich hier kennt, und sag hallo.",
      },
    },
  ],
};

const PASSWORD: GuideItem = {
  title: { en: "Enter the password", de: "Das Passwort eingeben" },
  text: {
    en: "{name} may ask for one. If it is not shown with the address on this page, ask us for it.",
    de: "{name} fragt vielleicht danach. Steht es auf dieser Seite nicht bei der Adresse, frag uns danach.",
  },
};

/** Returns the first guide of a catalogue game. */
export const guideOf = (game: Told & Pick<CatalogueGame, "guide">): GuideItem[] => [
  ...KINDS[game.guide](game),
  ...(game.password === "usual" ? [PASSWORD] : []),
];
