// Tera, and the five steps to join.
import type { FirstGame } from "../first-game.ts";

export const tera: FirstGame = {
  game_name: "Tera",
  game_acronym: "TERA",
  game_slug: "tera",
  picture: "tera",
  tagline: {
    en: "Aim, dodge, strike: no target is locked here.",
    de: "Zielen, ausweichen, zuschlagen: Hier rastet kein Ziel ein.",
  },
  description: {
    en: "An online role-playing game where you fight by aim and by footwork. Its publisher switched it off; players keep it alive.",
    de: "Ein Online-Rollenspiel, in dem Zielen und Beinarbeit entscheiden. Der Betreiber hat es abgeschaltet, die Spieler halten es am Leben.",
  },
  guide: [
    {
      title: { en: "Create an Account", de: "Konto erstellen" },
      text: {
        en: "Register for the game itself. This account is separate from the one on this site.",
        de: "Registriere dich für das Spiel selbst. Dieses Konto ist von dem auf dieser Seite getrennt.",
      },
      links: [{ label: { en: "Register", de: "Registrieren" }, url: "{link:registration}" }],
    },
    {
      title: { en: "Download Launcher", de: "Launcher herunterladen" },
      text: {
        en: "It is on the same page as the registration.",
        de: "Er liegt auf derselben Seite wie die Registrierung.",
      },
      links: [{ label: { en: "Download the launcher", de: "Launcher herunterladen" }, url: "{link:launcher}" }],
    },
    {
      title: { en: "Start Launcher", de: "Launcher starten" },
      text: {
        en: "Sign in with your game account and let it fetch the game; that is the long part.",
        de: "Melde dich mit deinem Spielkonto an und lass ihn das Spiel laden; das ist der lange Teil.",
      },
    },
    {
      title: { en: "Launch Game", de: "Spiel starten" },
      text: {
        en: "Press Launch and choose {name} in the list.",
        de: "Drücke „Launch“ und wähle {name} in der Liste.",
      },
    },
    {
      title: { en: "Have Fun", de: "Viel Spaß" },
      text: {
        en: "If you look for a group, or found something that is broken, tell us: the contact form is open to everybody.",
        de: "Wenn du eine Gruppe suchst oder einen Fehler gefunden hast, sag es uns: Das Kontaktformular steht allen offen.",
      },
    },
  ],
};
