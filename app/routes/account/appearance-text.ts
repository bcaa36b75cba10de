// What it says, in both languages.

export const TEXT = {
  en: {
    title: "Language and theme",
    section: "How the site looks",
    about: "It holds for your account, on every device where you have not chosen otherwise in the bar above.",
    language: "Language",
    theme: "Theme",
    dark: "Dark",
    light: "Light",
    save: "Save",
    saved: "Saved.",
  },
  de: {
    title: "Sprache und Darstellung",
    section: "Wie die Seite aussieht",
    about: "Das gilt für dein Konto, auf jedem Gerät, auf dem du oben in der Leiste nichts anderes gewählt hast.",
    language: "Sprache",
    theme: "Darstellung",
    dark: "Dunkel",
    light: "Hell",
    save: "Speichern",
    saved: "Gespeichert.",
  },
};
