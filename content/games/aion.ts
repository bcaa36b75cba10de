// Aion, and how to join with a separate client.
import type { FirstGame } from "../first-game.ts";

export const aion: FirstGame = {
  game_name: "Aion",
  game_acronym: "AION",
  game_slug: "aion",
  picture: "aion",
  tagline: {
    en: "Fly, fight, and choose a side of the Abyss.",
    de: "Fliege, kämpfe und wähle deine Seite im Abyss.",
  },
  description: {
    en: "An online role-playing game about two peoples with wings at war. You level together, fight for the fortresses of the Abyss, and learn to fly on the way.",
    de: "Ein Online-Rollenspiel über zwei geflügelte Völker im Krieg. Ihr levelt gemeinsam, kämpft um die Festungen im Abyss und lernt unterwegs fliegen.",
  },
  guide: [
    {
      title: { en: "Download the client", de: "Client herunterladen" },
      text: {
        en: "Each game server needs the client of its own version; this one is for {name} ({version}). If the download does not start, try another browser or right-click and choose Save As.",
        de: "Jeder Gameserver braucht den Client seiner Version; dieser ist für {name} ({version}). Startet der Download nicht, versuche einen anderen Browser oder klicke mit der rechten Maustaste und wähle „Ziel speichern unter“.",
      },
      links: [{ label: { en: "Download the client", de: "Client herunterladen" }, url: "{link:client}" }],
    },
    {
      title: { en: "Unpack it to a folder of its own", de: "In einen eigenen Ordner entpacken" },
      text: {
        en: "A short path such as C:\\Games\\Aion works best. Keep it out of Program Files, where Windows stops the client from updating itself.",
        de: "Am besten ein kurzer Pfad wie C:\\Games\\Aion. Nicht unter „Programme“: Dort hindert Windows den Client daran, sich zu aktualisieren.",
      },
    },
    {
      title: { en: "Start the launcher", de: "Launcher starten" },
      text: {
        en: "Start it from that folder and let it finish its update. It knows {host} already; there is no address to type.",
        de: "Starte ihn aus diesem Ordner und lass ihn sein Update beenden. Er kennt {host} schon, du musst keine Adresse eingeben.",
      },
    },
    {
      title: { en: "Sign in", de: "Anmelden" },
      text: {
        en: "Use your game account for this game server. It is separate from your account on this site; use a different password.",
        de: "Melde dich mit deinem Spielkonto für diesen Gameserver an. Es ist vom Konto auf dieser Seite getrennt; nimm ein anderes Passwort.",
      },
    },
    {
      title: { en: "Choose a side", de: "Seite wählen" },
      text: {
        en: "Elyos or Asmodian: your first character decides, and friends who want to group with you need the same side.",
        de: "Elyos oder Asmodier: Dein erster Charakter entscheidet, und Freunde brauchen dieselbe Seite, um mit dir in eine Gruppe zu kommen.",
      },
    },
  ],
};
