// ARK: Survival Evolved, and how to join.
import type { FirstGame } from "../first-game.ts";

export const arksurvivalevolved: FirstGame = {
  game_name: "Ark: Survival Evolved",
  game_acronym: "ARK",
  game_slug: "arksurvivalevolved",
  picture: "arksurvivalevolved",
  tagline: {
    en: "Wake on a beach. Tame what wants to eat you.",
    de: "Am Strand erwachen. Zähmen, was dich fressen will.",
  },
  description: {
    en: "Survival on an island of dinosaurs: gather, build, tame what wants to eat you, and ride it home.",
    de: "Überleben auf einer Insel voller Dinosaurier: sammeln, bauen, zähmen, was dich fressen will, und darauf nach Hause reiten.",
  },
  guide: [
    {
      title: { en: "Copy the address", de: "Adresse kopieren" },
      text: {
        en: "The button beside the game server takes {address} along.",
        de: "Der Knopf neben dem Gameserver nimmt {address} mit.",
      },
    },
    {
      title: { en: "Add it to your favourites", de: "Zu den Favoriten hinzufügen" },
      text: {
        en: "In Steam open View, Game Servers, Favorites, press the plus sign and enter the address.",
        de: "Öffne in Steam Anzeigen, „Spieleserver“, Favoriten, drücke das Pluszeichen und gib die Adresse ein.",
      },
    },
    {
      title: { en: "Open Join ARK in the game", de: "Im Spiel „Join ARK“ öffnen" },
      text: {
        en: "Set the filter to Favorites and give the list a moment.",
        de: "Stelle den Filter auf Favoriten und lass der Liste einen Moment Zeit.",
      },
    },
    {
      title: { en: "Join", de: "Beitreten" },
      text: {
        en: "Choose {name} in the list. Your survivor waits there for the next time.",
        de: "Wähle {name} in der Liste. Dein Überlebender wartet dort auf das nächste Mal.",
      },
    },
  ],
};
