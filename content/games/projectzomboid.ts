// Project Zomboid, and how to join.
import type { FirstGame } from "../first-game.ts";

export const projectzomboid: FirstGame = {
  game_name: "Project Zomboid",
  game_acronym: "PZ",
  game_slug: "projectzomboid",
  picture: "projectzomboid",
  tagline: {
    en: "Board up the windows. Somebody is at the door.",
    de: "Vernagle die Fenster. Jemand ist an der Tür.",
  },
  description: {
    en: "Survival among the dead of Knox County: board up a house, learn to cook, and do not get bitten. Where a game server has mods, you need not install anything by hand: the game fetches them from the Steam Workshop when you join.",
    de: "Überleben unter den Toten von Knox County: ein Haus verrammeln, kochen lernen, nicht gebissen werden. Hat ein Gameserver Mods, musst du nichts von Hand installieren: Das Spiel holt sie beim Beitreten aus dem Steam Workshop.",
  },
  guide: [
    {
      title: { en: "Start the right version", de: "Die richtige Version starten" },
      text: {
        en: "The game server runs {version}. The version is written in the corner of the main menu; if yours differs, right-click the game in Steam and choose Properties, then Betas.",
        de: "Der Gameserver läuft mit {version}. Die Version steht in der Ecke des Hauptmenüs; ist deine anders, klicke in Steam mit der rechten Maustaste auf das Spiel und wähle Eigenschaften, dann Betas.",
      },
    },
    {
      title: { en: "Open Join", de: "„Beitreten“ öffnen" },
      text: {
        en: "In the main menu press Join and stay on the tab Favorites.",
        de: "Drücke im Hauptmenü „Beitreten“ (Join) und bleibe auf dem Reiter „Favoriten“.",
      },
    },
    {
      title: { en: "Enter the game server", de: "Gameserver eintragen" },
      text: {
        en: "Enter {host} as IP and {port} as port. The name is up to you.",
        de: "Gib {host} als IP und {port} als Port ein. Den Namen kannst du frei wählen.",
      },
    },
    {
      title: { en: "Make up an account", de: "Konto ausdenken" },
      text: {
        en: "Account username and password are made on your first visit, only for this game server. Do not use a password that you have elsewhere.",
        de: "Benutzername und Passwort entstehen bei deinem ersten Besuch und gelten nur für diesen Gameserver. Nimm kein Passwort, das du anderswo hast.",
      },
    },
    {
      title: { en: "Save and join", de: "Speichern und beitreten" },
      text: {
        en: "Save it, choose it in the list and join. If it has mods, the first time takes longer, while they are being downloaded.",
        de: "Speichere, wähle ihn in der Liste und tritt bei. Hat er Mods, dauert es beim ersten Mal länger, bis sie geladen sind.",
      },
    },
  ],
  guide_boxes: [
    {
      title: { en: "Stuck on a mod?", de: "Ein Mod klemmt?" },
      text: {
        en: "If the game says that a mod is missing or differs, quit it and let Steam finish its downloads. If that does not help, unsubscribe from that mod in the Steam Workshop and join again: the game fetches it anew.",
        de: "Meldet das Spiel einen fehlenden oder abweichenden Mod, beende es und lass Steam seine Downloads abschließen. Hilft das nicht, bestelle den Mod im Steam Workshop ab und tritt erneut bei: Das Spiel lädt ihn neu.",
      },
    },
  ],
};
