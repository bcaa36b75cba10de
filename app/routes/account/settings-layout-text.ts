// What it says, in both languages.

export const TEXT = {
  en: {
    title: "Settings",
    profile: "Profile",
    account: "Account",
    security: "Security",
    appearance: "Language and theme",
    data: "Your data",
  },
  de: {
    title: "Einstellungen",
    profile: "Profil",
    account: "Konto",
    security: "Sicherheit",
    appearance: "Sprache und Darstellung",
    data: "Deine Daten",
  },
};
