// What it says, in both languages.

export const TEXT = {
  en: {
    gone_title: "Your account is switched off",
    gone: "You are signed out everywhere. We have mailed you the day on which everything is erased, and a link by which you can change your mind until then.",
    ask_title: "Keep your account?",
    ask: "Your account is switched off and would be erased soon. With this you keep it, with everything that belongs to it, and are signed in.",
    act: "Keep my account",
    broken_title: "This link does not work any more",
    broken: "It is used, or the account is erased already. If you have kept your account, sign in.",
    login: "Login",
    home: "Back to Home",
  },
  de: {
    gone_title: "Dein Konto ist abgeschaltet",
    gone: "Du bist überall abgemeldet. Wir haben dir den Tag geschickt, an dem alles gelöscht wird, und einen Link, mit dem du es dir bis dahin anders überlegen kannst.",
    ask_title: "Konto behalten?",
    ask: "Dein Konto ist abgeschaltet und würde bald gelöscht. Hiermit behältst du es, mit allem, was dazugehört, und wirst angemeldet.",
    act: "Konto behalten",
    broken_title: "Dieser Link gilt nicht mehr",
    broken: "Er ist benutzt, oder das Konto ist schon gelöscht. Wenn du es behalten hast, melde dich an.",
    login: "Anmelden",
    home: "Zur Startseite",
  },
};
