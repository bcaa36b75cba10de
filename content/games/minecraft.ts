// Minecraft, and how to join.
import type { FirstGame } from "../first-game.ts";

export const minecraft: FirstGame = {
  game_name: "Minecraft",
  game_acronym: "MC",
  game_slug: "minecraft",
  picture: "minecraft",
  tagline: {
    en: "One old world, and no rules in it.",
    de: "Eine alte Welt, und keine Regeln darin.",
  },
  description: {
    en: "A world of blocks to dig, build and wander through, alone or with everybody who is on. You need the Java Edition.",
    de: "Eine Welt aus Blöcken zum Graben, Bauen und Umherziehen, allein oder mit allen, die gerade da sind. Du brauchst die Java Edition.",
  },
  guide: [
    {
      title: { en: "Start the right version", de: "Die richtige Version starten" },
      text: {
        en: "In the Minecraft Launcher choose Java Edition and version {version}. Under Installations you can add any version that is not in the list.",
        de: "Wähle im Minecraft Launcher die Java Edition und Version {version}. Unter „Installationen“ kannst du jede Version hinzufügen, die nicht in der Liste steht.",
      },
    },
    {
      title: { en: "Open Multiplayer", de: "„Mehrspieler“ öffnen" },
      text: {
        en: "The first time, Minecraft shows a note on online play; read it and press Proceed.",
        de: "Beim ersten Mal zeigt Minecraft einen Hinweis zum Online-Spiel; lies ihn und drücke „Fortfahren“.",
      },
    },
    {
      title: { en: "Add the game server", de: "Gameserver hinzufügen" },
      text: {
        en: "Press Add Server, enter {address} as the server address, and press Done.",
        de: "Drücke „Server hinzufügen“, gib als Serveradresse {address} ein und drücke „Fertig“.",
      },
    },
    {
      title: { en: "Join", de: "Beitreten" },
      text: {
        en: "Choose {name} in the list and press Join Server. Then walk: the first blocks around the spawn were taken long ago.",
        de: "Wähle {name} in der Liste und drücke „Server beitreten“. Dann lauf los: Rund um den Startpunkt ist längst alles vergeben.",
      },
    },
  ],
};
