// Valheim, with or without mods, and how to join.
import type { FirstGame } from "../first-game.ts";

export const valheim: FirstGame = {
  game_name: "Valheim",
  game_acronym: "VH",
  game_slug: "valheim",
  picture: "valheim",
  tagline: {
    en: "Build a hall, sail the mist, feast with friends.",
    de: "Baue eine Halle, segle durch den Nebel, feiere mit Freunden.",
  },
  description: {
    en: "Survival in a world out of Norse legend, best played by a small crew. You build, sail and hunt. Your character comes with you and keeps what it carries.",
    de: "Überleben in einer Welt aus nordischen Sagen, am schönsten in einer kleinen Mannschaft. Du baust, segelst und jagst. Deinen Charakter bringst du mit, samt allem, was er trägt.",
  },
  guide: [
    {
      title: { en: "Start Valheim", de: "Valheim starten" },
      text: {
        en: "Start it from Steam and press Start Game.",
        de: "Starte es über Steam und drücke „Spiel starten“ (Start Game).",
      },
    },
    {
      title: { en: "Choose a character", de: "Charakter wählen" },
      text: {
        en: "Take one that you have, or make a new one, and press Start.",
        de: "Nimm einen vorhandenen oder erstelle einen neuen und drücke „Start“.",
      },
    },
    {
      title: { en: "Open Join Game", de: "„Spiel beitreten“ öffnen" },
      text: {
        en: "It is the second tab of the next screen, beside your own worlds.",
        de: "Es ist der zweite Reiter (Join Game) auf dem nächsten Bildschirm, neben deinen eigenen Welten.",
      },
    },
    {
      title: { en: "Add the game server", de: "Gameserver hinzufügen" },
      text: {
        en: "Press Add server and enter {address}. It stays in your favourites from then on.",
        de: "Drücke „Server hinzufügen“ (Add server) und gib {address} ein. Ab dann steht er in deinen Favoriten.",
      },
    },
    {
      title: { en: "Connect", de: "Verbinden" },
      text: {
        en: "Choose {name} in the list and press Connect.",
        de: "Wähle {name} in der Liste und drücke „Verbinden“ (Connect).",
      },
    },
  ],
  guide_boxes: [
    {
      title: { en: "Playing on a modded game server", de: "Auf einem Gameserver mit Mods spielen" },
      text: {
        en: "You need the same mods, in the same versions, as the game server. A mod manager such as r2modman keeps them apart from your ordinary game: make a profile, add the mods listed with the game server, and start Valheim from there.",
        de: "Du brauchst dieselben Mods in denselben Versionen wie der Gameserver. Ein Mod-Manager wie r2modman hält sie von deinem normalen Spiel getrennt: Lege ein Profil an, füge die beim Gameserver genannten Mods hinzu und starte Valheim von dort.",
      },
      links: [
        {
          label: { en: "r2modman on Thunderstore", de: "r2modman bei Thunderstore" },
          url: "https://thunderstore.io/c/valheim/p/ebkr/r2modman/",
        },
      ],
    },
  ],
};
