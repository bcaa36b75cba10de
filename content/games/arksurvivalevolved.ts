// ARK: Survival Evolved: its game server is retired, and the page says so and what happens when it returns.
import type { FirstGame } from "../first-game.ts";

export const arksurvivalevolved: FirstGame = {
  game_name: "Ark: Survival Evolved",
  game_acronym: "ARK",
  game_slug: "arksurvivalevolved",
  picture: "arksurvivalevolved",
  tagline: {
    en: "The island sleeps. It may wake again.",
    de: "Die Insel schläft. Sie kann wieder erwachen.",
  },
  description: {
    en: "Wake on a beach, tame what wants to eat you, ride it home. Our ARK game server is inactive at the moment. Its world is kept, and if enough of you ask for it, it comes back. Tell us by the contact form.",
    de: "Am Strand erwachen, zähmen, was dich fressen will, und darauf nach Hause reiten. Unser ARK-Gameserver ist zurzeit inaktiv. Seine Welt ist aufbewahrt, und wenn genug von euch fragen, kommt sie zurück. Sag es uns im Kontaktformular.",
  },
  guide: [
    {
      title: { en: "Now: nothing to do", de: "Jetzt: nichts zu tun" },
      text: {
        en: "The game server is inactive, so there is no address to join. You need not keep the game installed for our sake.",
        de: "Der Gameserver ist inaktiv, es gibt also keine Adresse zum Beitreten. Unseretwegen musst du das Spiel nicht installiert lassen.",
      },
    },
    {
      title: { en: "When it returns: look here", de: "Wenn er zurückkommt: hier nachsehen" },
      text: {
        en: "This page then shows the address and who is on, and how to get in, from the first minute on.",
        de: "Diese Seite zeigt dann Adresse und Spieler, und den Weg hinein, von der ersten Minute an.",
      },
    },
    {
      title: { en: "Then: add it to your favourites", de: "Dann: zu den Favoriten hinzufügen" },
      text: {
        en: "In Steam open View, Game Servers, Favorites, press the plus sign and enter the address from this page.",
        de: "Öffne in Steam Anzeigen, „Spieleserver“, Favoriten, drücke das Pluszeichen und gib die Adresse von dieser Seite ein.",
      },
    },
    {
      title: { en: "Then: join from the game", de: "Dann: im Spiel beitreten" },
      text: {
        en: "Choose Join ARK, set the filter to Favorites, and pick it. Your old survivor is there if the world is.",
        de: "Wähle „Join ARK“, stelle den Filter auf Favoriten und wähle ihn aus. Dein alter Überlebender ist da, wenn die Welt es ist.",
      },
    },
  ],
};
