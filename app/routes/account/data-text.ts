// What it says, in both languages.

export const TEXT = {
  en: {
    title: "Your data",
    export_title: "Take your data along",
    export_about:
      "One file (JSON) with everything that we hold on you: account, profile, avatar, sessions, messages, and the log of what happened to your account. Passwords and other secrets are named in it and left out.",
    export: "Download your data",
    delete_title: "Delete your account",
    delete_about: (days: number) =>
      `You are signed out everywhere at once, and nobody can sign in any more. After ${days} days everything is erased; until then you can take it back by a link that we mail you.`,
    kept: (months: number) =>
      `What we keep against fraud: a hash of your address and the dates of the account, for ${months} months. Then that is erased too.`,
    open: "Delete my account…",
    sure: "Are you sure?",
    delete: "Yes, delete my account",
    privacy: "Privacy policy",
    last_admin: "You are the only admin. Make somebody else an admin first, or nobody could run this site.",
  },
  de: {
    title: "Deine Daten",
    export_title: "Nimm deine Daten mit",
    export_about:
      "Eine Datei (JSON) mit allem, was wir über dich haben: Konto, Profil, Avatar, Sitzungen, Nachrichten und das Protokoll dessen, was mit deinem Konto geschah. Passwörter und andere Geheimnisse sind darin genannt und weggelassen.",
    export: "Deine Daten herunterladen",
    delete_title: "Dein Konto löschen",
    delete_about: (days: number) =>
      `Du wirst sofort überall abgemeldet, und niemand kann sich mehr anmelden. Nach ${days} Tagen wird alles gelöscht; bis dahin kannst du es mit einem Link zurücknehmen, den wir dir schicken.`,
    kept: (months: number) =>
      `Was wir zum Schutz vor Betrug behalten: einen Hash deiner Adresse und die Daten des Kontos (Beginn und Ende), ${months} Monate lang. Dann wird auch das gelöscht.`,
    open: "Mein Konto löschen…",
    sure: "Bist du sicher?",
    delete: "Ja, mein Konto löschen",
    privacy: "Datenschutzerklärung",
    last_admin:
      "Du bist der einzige Admin. Mach zuerst jemand anderen zum Admin, sonst könnte niemand diese Seite betreiben.",
  },
};
