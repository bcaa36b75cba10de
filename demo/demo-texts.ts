// Texts of the demo for its own games, in place of the general ones: its game servers exist nowhere else.
import type { FirstGame } from "#content/first-game.ts";

/** By game slug. */
export const DEMO_TEXTS: Record<string, Partial<Pick<FirstGame, "tagline" | "description" | "guide">>> = {
  aion: {
    description: {
      en: "An online role-playing game about two peoples with wings at war. We run two game servers: one with the content of 1.9, levelled slowly and together as in the early days, and a faster one with 3.9, for evenings that are short.",
      de: "Ein Online-Rollenspiel über zwei geflügelte Völker im Krieg. Wir betreiben zwei Gameserver: einen mit den Inhalten von 1.9, langsam und gemeinsam wie in den ersten Tagen, und einen schnelleren mit 3.9 für kurze Abende.",
    },
  },
  valheim: {
    description: {
      en: "Survival in a world out of Norse legend, best played by a small crew. We run one game server as the developers made it, and one with mods that bring more loot and less tidying up. Your character comes with you and keeps what it carries.",
      de: "Überleben in einer Welt aus nordischen Sagen, am schönsten in einer kleinen Mannschaft. Wir betreiben einen Gameserver so, wie die Entwickler ihn gemacht haben, und einen mit Mods, die mehr Beute und weniger Aufräumen bringen. Deinen Charakter bringst du mit, samt allem, was er trägt.",
    },
  },
  minecraft: {
    description: {
      en: "An anarchy game server: nobody protects what you build, nothing is put back, and the map is never reset. Trust is worth more than diamonds. You need the Java Edition.",
      de: "Ein Anarchie-Gameserver: Niemand schützt, was du baust, nichts wird wiederhergestellt, und die Karte wird nie zurückgesetzt. Vertrauen ist mehr wert als Diamanten. Du brauchst die Java Edition.",
    },
  },
  projectzomboid: {
    description: {
      en: "Survival among the dead of Knox County: board up a house, learn to cook, and do not get bitten. Our game server is modded. You need not install anything by hand: the game fetches the mods from the Steam Workshop when you join.",
      de: "Überleben unter den Toten von Knox County: ein Haus verrammeln, kochen lernen, nicht gebissen werden. Unser Gameserver läuft mit Mods. Von Hand musst du nichts installieren: Das Spiel holt die Mods beim Beitreten aus dem Steam Workshop.",
    },
  },
  arksurvivalevolved: {
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
  },
  tera: {
    description: {
      en: "An online role-playing game where you fight by aim and by footwork. Its publisher switched it off; players keep it alive. Our game server is an alpha: expect rough edges, and tell us what breaks.",
      de: "Ein Online-Rollenspiel, in dem Zielen und Beinarbeit entscheiden. Der Betreiber hat es abgeschaltet, die Spieler halten es am Leben. Unser Gameserver ist eine Alpha: Rechne mit Ecken und Kanten, und sag uns, was nicht geht.",
    },
  },
};
