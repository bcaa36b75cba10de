// Skyrim Together: how to join, and the runtimes that a fresh Windows lacks.
import type { FirstGame } from "../first-game.ts";

export const skyrimtogheter: FirstGame = {
  game_name: "Skyrim Together",
  game_acronym: "STR",
  // The site's addresses have always been spelt so; the right spelling redirects here.
  game_slug: "skyrimtogheter",
  picture: "skyrimtogheter",
  tagline: {
    en: "The province you know, with company.",
    de: "Die Provinz, die du kennst, in Gesellschaft.",
  },
  description: {
    en: "Skyrim, modded and made for many: quests, fights and long walks shared. The launcher brings the whole modpack and keeps it up to date. You need Skyrim Special Edition on Steam and some patience for the first start.",
    de: "Skyrim, mit Mods und für viele: Quests, Kämpfe und lange Wege gemeinsam. Der Launcher bringt das ganze Modpack mit und hält es aktuell. Du brauchst die Skyrim Special Edition auf Steam und etwas Geduld beim ersten Start.",
  },
  guide: [
    {
      title: { en: "Download the launcher or the torrent", de: "Launcher oder Torrent herunterladen" },
      text: {
        en: "Both bring the same modpack; the torrent is often faster. Leave plenty of free space on the drive.",
        de: "Beide bringen dasselbe Modpack; der Torrent ist oft schneller. Lass reichlich Platz auf dem Laufwerk frei.",
      },
      links: [
        { label: { en: "Download the launcher", de: "Launcher herunterladen" }, url: "{link:launcher}" },
        { label: { en: "Download the torrent", de: "Torrent herunterladen" }, url: "{link:torrent}" },
      ],
    },
    {
      title: { en: "Run the game executable", de: "Spiel ausführen" },
      text: {
        en: "The first run may take a while to load all mods into cache. It looks as if nothing happens; let it work.",
        de: "Beim ersten Start kann es eine Weile dauern, bis alle Mods im Cache sind. Es sieht aus, als geschähe nichts; lass es arbeiten.",
      },
    },
    {
      title: { en: "Press Play now after the update", de: "Nach dem Update „Play now“ drücken" },
      text: {
        en: "The button is only there once the update is complete.",
        de: "Die Schaltfläche erscheint erst, wenn das Update fertig ist.",
      },
    },
    {
      title: { en: "Start a new character", de: "Neuen Charakter beginnen" },
      text: {
        en: "Savegames from elsewhere do not fit the modpack, and a savegame of the modpack must not be used in single player.",
        de: "Spielstände von anderswo passen nicht zum Modpack, und ein Spielstand des Modpacks darf nicht im Einzelspieler benutzt werden.",
      },
    },
    {
      title: { en: "Complete the tutorial first", de: "Zuerst das Tutorial beenden" },
      text: {
        en: "Escape the starting town on your own before you join; it does not work with others around.",
        de: "Entkomme allein aus der Startstadt, bevor du beitrittst; mit anderen zusammen funktioniert es nicht.",
      },
    },
    {
      title: { en: "Connect directly", de: "Direkt verbinden" },
      text: {
        en: "Always direct-connect after starting the client: enter {host} and port {port}. Our nodes are on port {ports}; if one is full, take another. Or search for our name in the server browser.",
        de: "Verbinde dich nach dem Start des Clients immer direkt: Gib {host} und Port {port} ein. Unsere Knoten liegen auf Port {ports}; ist einer voll, nimm einen anderen. Oder suche unseren Namen im Server-Browser.",
      },
    },
  ],
  guide_boxes: [
    {
      title: { en: "Troubleshooting", de: "Hilfe bei Problemen" },
      text: {
        en: "If the launcher or the game closes at once, or a message names a missing DLL, install these runtimes from Microsoft, restart Windows, and try again.",
        de: "Schließt sich Launcher oder Spiel sofort oder nennt eine Meldung eine fehlende DLL, installiere diese Laufzeiten von Microsoft, starte Windows neu und versuche es noch einmal.",
      },
      links: [
        {
          label: { en: "Visual C++ Redistributable (x64)", de: "Visual C++ Redistributable (x64)" },
          url: "https://aka.ms/vs/17/release/vc_redist.x64.exe",
        },
        {
          label: { en: "Visual C++ Redistributable (x86)", de: "Visual C++ Redistributable (x86)" },
          url: "https://aka.ms/vs/17/release/vc_redist.x86.exe",
        },
        {
          label: { en: ".NET Desktop Runtime", de: ".NET Desktop Runtime" },
          url: "https://dotnet.microsoft.com/download/dotnet",
        },
      ],
    },
  ],
};
