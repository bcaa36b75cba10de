// The Front, and how to join.
import type { FirstGame } from "../first-game.ts";

export const thefront: FirstGame = {
  game_name: "The Front",
  game_acronym: "TF",
  game_slug: "thefront",
  picture: "thefront",
  tagline: {
    en: "Dig in, wire up, and hold the line.",
    de: "Eingraben, verkabeln, die Stellung halten.",
  },
  description: {
    en: "Survival with tower defence: you gather by day, and what you have built must stand when the waves come. From stone axe to tank, and better with neighbours whose turrets cover yours.",
    de: "Überleben mit Turmverteidigung: Tagsüber sammelst du, und was du gebaut hast, muss stehen, wenn die Wellen kommen. Von der Steinaxt bis zum Panzer, und besser mit Nachbarn, deren Türme deine decken.",
  },
  guide: [
    {
      title: { en: "Start The Front", de: "The Front starten" },
      text: {
        en: "Let Steam update it first: the game only lists game servers of its own version.",
        de: "Lass Steam es vorher aktualisieren: Das Spiel zeigt nur Gameserver der eigenen Version.",
      },
    },
    {
      title: { en: "Open the server list", de: "Serverliste öffnen" },
      text: {
        en: "Choose multiplayer in the main menu and go to the community or private game servers, not the official ones.",
        de: "Wähle im Hauptmenü den Mehrspielermodus und gehe zu den privaten oder Community-Servern, nicht zu den offiziellen.",
      },
    },
    {
      title: { en: "Search for the name", de: "Nach dem Namen suchen" },
      text: {
        en: "Type {name} into the search field. If the list stays empty, clear the filters and refresh it.",
        de: "Gib {name} in das Suchfeld ein. Bleibt die Liste leer, lösche die Filter und lade sie neu.",
      },
    },
    {
      title: { en: "Join and make a character", de: "Beitreten und Charakter erstellen" },
      text: {
        en: "A character belongs to one game server: you start anew here, and what you gain here stays here.",
        de: "Ein Charakter gehört zu einem Gameserver: Du fängst hier neu an, und was du hier erreichst, bleibt hier.",
      },
    },
  ],
  guide_boxes: [
    {
      title: { en: "Not in the list?", de: "Nicht in der Liste?" },
      text: {
        en: "In Steam open View, Game Servers, Favorites, press the plus sign and enter {address}. Steam then shows whether the game server answers.",
        de: "Öffne in Steam Anzeigen, „Spieleserver“, Favoriten, drücke das Pluszeichen und gib {address} ein. Steam zeigt dann, ob der Gameserver antwortet.",
      },
    },
  ],
};
