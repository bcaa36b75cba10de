// What it says, in both languages.

export const TEXT = {
  en: {
    title: "First, show that it is you",
    about:
      "What you can change here could cost you your account, so we ask for your password once more. It counts for ten minutes.",
    act: "Continue",
  },
  de: {
    title: "Zeig zuerst, dass du es bist",
    about:
      "Was du hier änderst, könnte dich dein Konto kosten, darum fragen wir noch einmal nach deinem Passwort. Das gilt zehn Minuten lang.",
    act: "Weiter",
  },
};
