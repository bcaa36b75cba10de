// The privacy policy in German.
import { addressLine, blocks, type LegalText, type Particulars } from "./legal-text.ts";

export function privacyPolicyDe(p: Particulars): LegalText {
  const byOperator = p.operator_name ? `von ${p.operator_name}` : "vom Betreiber dieser Seite";
  const address = addressLine(p);
  const write = p.contact_email
    ? `schreib an [${p.contact_email}](mailto:${p.contact_email}) oder nutze das [Kontaktformular](/contact)`
    : "nutze das [Kontaktformular](/contact)";
  return {
    title: "Datenschutzerklärung",
    description: `Was ${p.site_name} über dich speichert, wozu, wie lange, und was du dagegen tun kannst.`,
    intro: [
      `${p.site_name} (${p.site_url}) wird ${byOperator} („wir“) betrieben. Hier steht, was wir über dich speichern, wozu, wie lange, und was du tun kannst. Kurz gesagt: Wir fragen nach wenig, wir verkaufen nichts, es gibt keine Werbung und keine Verfolgung, und du kannst deine Daten jederzeit mitnehmen oder löschen lassen.`,
      `Wenn hier etwas unklar ist oder du nicht einverstanden bist, leg bitte kein Konto an und ${write}.`,
    ],
    sections: [
      {
        id: "data-we-collect",
        title: "Welche Daten erheben wir?",
        blocks: [
          "Zum Ansehen der Seite brauchst du kein Konto, und wir brauchen keine Daten von dir. Wenn du ein Konto anlegst oder uns schreibst, speichern wir, was du uns gibst:",
          {
            list: [
              "E-Mail-Adressen,",
              "Benutzernamen,",
              "Passwörter, und von diesen nur einen argon2id-Hash, aus dem sich das Passwort nicht lesen lässt.",
            ],
          },
          "Wenn du möchtest, gibst du uns auch ein Avatarbild, eine Sprache und ein Farbschema, einen zweiten Faktor oder einen Passkey oder eine Nachricht über das Kontaktformular mit Name und E-Mail-Adresse. Wenn die Seite die Anmeldung mit Discord oder einer anderen Website anbietet und du sie nutzt, nennt uns diese deine dortige Kontonummer und deine E-Mail-Adresse.",
          "Wenn du bei einem Gameserver, einem Spiel oder der Seite auf „Sag mir Bescheid“ drückst, speichern wir, wovon du hören willst, und wo: bei einem Konto dessen E-Mail-Adresse, bei einem Browser die Adresse und die Schlüssel, die ihm der Hersteller dafür gegeben hat (ein Push-Abonnement), deine Sprache und wann der Browser zuletzt hier war. Das geht ohne Konto. Von der Netzadresse, von der aus es eingerichtet wurde, behalten wir nur einen mit Schlüssel gebildeten Hash, gegen Missbrauch. Hast du ein Konto, speichern wir auch deine Wünsche, etwa Ruhezeiten, und 30 Tage lang, wovon wir dir berichtet haben.",
          "Wir verarbeiten keine sensiblen Daten: nichts zu Gesundheit, Glauben, Herkunft, Meinungen oder Ähnlichem. Bitte schreib nichts davon in Benutzername, Avatar oder Nachrichten.",
          "Wenn du dich anmeldest, speichern wir zu jeder Sitzung, wann sie begann, wann sie zuletzt benutzt wurde, die Netzadresse (IP-Adresse) und die Art des Browsers, damit du Sitzungen erkennen und beenden kannst. Anmeldungen und Änderungen an der Sicherheit eines Kontos werden mit der Netzadresse in einem Protokoll vermerkt.",
          "Von Gameservern speichern wir öffentliche Zahlen: ob sie laufen, wie viele Leute darauf sind, welche Version läuft. Die Gameserver melden das selbst oder beantworten eine öffentliche Abfrage. Namen von Spielern lesen wir daraus nicht, mit einer Ausnahme: Wo ein Admin für einen Gameserver die Liste eingeschaltet hat, wer gerade spielt, können angemeldete Mitglieder auf dessen Seite die Namen lesen, die der Gameserver selbst jedem nennt, der ihn fragt. Gehalten wird nur die neueste Liste: Die nächste tritt an ihre Stelle, die letzte wird nach zehn Minuten gelöscht, und keine kommt in einen Verlauf, ein Protokoll oder eine Sicherung. Wenn du dort nicht genannt werden willst, schreib deine Namen in die [Einstellungen deines Profils](/user/settings/profile); was du dort aufschreibst, behalten wir, bis du es entfernst oder dein Konto gelöscht wird.",
        ],
      },
      {
        id: "how-we-use-it",
        title: "Wozu nutzen wir deine Daten?",
        blocks: [
          "Wir nutzen deine Daten nur dazu:",
          {
            list: [
              "dein Konto anzulegen, dich anzumelden und angemeldet zu halten,",
              "deinen Benutzernamen und Avatar dort zu zeigen, wo du mitmachst,",
              "E-Mails zu senden, die zu deinem Konto gehören: Bestätigungen, Codes, Warnungen. Einen Newsletter gibt es nicht,",
              "dir das zu sagen, wovon du hören wolltest, etwa dass ein Gameserver wieder da ist, bis du es beendest,",
              "deine Nachrichten und Anfragen zu beantworten,",
              "dich, uns und andere vor Missbrauch und Betrug zu schützen,",
              "Pflichten zu erfüllen, die uns das Gesetz gibt.",
            ],
          },
          "Wir treffen keine Entscheidungen über dich allein durch Maschinen und bilden keine Profile.",
        ],
      },
      {
        id: "legal-bases",
        title: "Auf welcher Rechtsgrundlage tun wir das?",
        blocks: [
          "Wo die Datenschutz-Grundverordnung (DSGVO) oder ihr britisches Gegenstück gilt, stützen wir uns auf:",
          {
            list: [
              "den Vertrag mit dir: dein Konto und was du damit tust (Artikel 6 Absatz 1 Buchstabe b),",
              "unser berechtigtes Interesse an einer sicheren und funktionierenden Seite: Sitzungen, Begrenzungen, Sicherheitsprotokoll, Schutz vor Betrug (Artikel 6 Absatz 1 Buchstabe f),",
              "deine Einwilligung für alles, was du frei wählst, etwa einen Avatar oder dass wir dir Bescheid sagen. Du kannst sie jederzeit widerrufen (Artikel 6 Absatz 1 Buchstabe a),",
              "rechtliche Pflichten, etwa Auskünfte an Behörden (Artikel 6 Absatz 1 Buchstabe c).",
            ],
          },
          "In der Schweiz gilt das Datenschutzgesetz entsprechend.",
        ],
      },
      {
        id: "sharing",
        title: "Wer bekommt deine Daten noch?",
        blocks: [
          "Wir verkaufen deine Daten nicht, vermieten sie nicht und teilen sie nicht für Werbung. Andere bekommen sie nur in diesen Fällen:",
          {
            list: [
              "Unternehmen, die für uns Maschinen, Speicher oder Mailversand betreiben, unter Vertrag und nur nach unserer Weisung,",
              "Discord oder die andere Website, mit der du dich anmeldest,",
              "der Push-Dienst des Herstellers deines Browsers (etwa Google, Mozilla, Microsoft oder Apple), wenn du dir im Browser Bescheid sagen lässt: Er erfährt, wann wir etwas senden; was wir senden, ist so verschlüsselt, dass nur dein Browser es lesen kann,",
              "Behörden und Gerichte, wo uns das Gesetz dazu verpflichtet,",
              "ein Nachfolger, wenn die Seite in andere Hände geht; diese Erklärung gilt dann weiter, und wir sagen es dir vorher.",
            ],
          },
          "Unsere Rechner stehen in Deutschland. Dein Benutzername und dein Avatar sind für andere sichtbar, wo du mitmachst.",
        ],
      },
      {
        id: "cookies",
        title: "Nutzen wir Cookies?",
        blocks: [
          "Nur solche, ohne die die Seite nicht tun könnte, was du von ihr willst. Deshalb gibt es auch kein Banner zum Wegklicken:",
          {
            list: [
              "ein Sitzungscookie, das dich angemeldet hält, und ein kurzlebiges zwischen Passwort und zweitem Faktor,",
              "ein Cookie, das sich einen Tag lang merkt, dass sich dieser Browser gerade registriert hat,",
              "ein Cookie, das einen Browser wiedererkennt, in dem du dich schon angemeldet hast, damit falsche Passwörter von Fremden dich nicht aussperren,",
              "wenn dir dein Browser Bescheid sagt, die Adressen der Gameserver, die du zuletzt angesehen hast; sie bleiben in deinem Browser für den Fall, dass die Seite nicht zu erreichen ist,",
              "deine Wahl des Farbschemas, die in deinem Browser bleibt.",
            ],
          },
          "Es gibt keine Cookies von anderen, keine Statistikdienste und keine Zählpixel. Schriften und Bilder kommen von unseren eigenen Rechnern.",
        ],
      },
      {
        id: "how-long",
        title: "Wie lange behalten wir deine Daten?",
        blocks: [
          "Solange dein Konto besteht. Wenn du es löschst, wird es sofort abgeschaltet und nach einer kurzen Frist, in der du es dir anders überlegen kannst, endgültig gelöscht.",
          "Manches endet früher oder später als das Konto:",
          {
            list: [
              "Sitzungen enden, wenn du dich abmeldest, wenn sie lange nicht benutzt werden, spätestens an einem festen Datum,",
              "E-Mails, die wir gesendet haben: ihr Inhalt wird gleich nach dem Senden gelöscht, die Tatsache des Sendens nach 30 Tagen,",
              "das Sicherheitsprotokoll nach einem Jahr,",
              "gezählte Versuche (für Begrenzungen) nach Stunden,",
              "wovon ein Browser ohne Konto hören will und sein Push-Abonnement: wenn du es beendest, sofort, wenn der Browser das Abonnement aufgibt, und spätestens 60 Tage nachdem der Browser zuletzt hier war,",
              "was geschah und wem wir davon berichtet haben, nach 30 Tagen,",
              "Nachrichten über das Kontaktformular, wenn sie erledigt sind und nicht mehr gebraucht werden, spätestens zwölf Monate nachdem wir sie archiviert haben.",
            ],
          },
          "Zum Schutz vor Betrug behalten wir nach der Löschung eines Kontos einen mit Schlüssel gebildeten Hash seiner E-Mail-Adresse und die Tage, an denen das Konto begann und endete, sonst nichts. Registriert sich dieselbe Adresse wieder, sehen Admins daran, dass es schon ein Konto gab, und von wann bis wann. Auch das endet von selbst an einem Tag, den dir die letzte E-Mail zur Löschung nennt. Sicherungskopien werden reihum überschrieben.",
        ],
      },
      {
        id: "safety",
        title: "Wie schützen wir deine Daten?",
        blocks: [
          "Verbindungen sind verschlüsselt. Passwörter, Sitzungsschlüssel und Einmal-Links werden nur als Hash gespeichert. Du kannst dein Konto mit einem zweiten Faktor oder einem Passkey schützen und siehst und beendest jede Sitzung in deinen Einstellungen. Nur wer deine Daten für seine Arbeit braucht, kommt an sie heran, und was er tut, wird protokolliert.",
          "Kein System ist vollkommen sicher. Wenn etwas geschieht, das deine Daten gefährdet, sagen wir es dir und der Behörde so, wie es das Gesetz verlangt.",
          "Die Seite ist nicht für Kinder unter 16 Jahren gemacht, und wir speichern wissentlich keine Daten über sie. Wenn du erfährst, dass uns ein Kind Daten gegeben hat, sag es uns bitte.",
        ],
      },
      {
        id: "your-rights",
        title: "Welche Rechte hast du?",
        blocks: [
          "Wenn du im Europäischen Wirtschaftsraum (EWR), im Vereinigten Königreich oder in der Schweiz lebst, darfst du",
          {
            list: [
              "erfahren, was wir über dich speichern, und eine Kopie bekommen,",
              "es berichtigen oder löschen lassen,",
              "die Nutzung einschränken lassen,",
              "es in maschinenlesbarer Form mitnehmen,",
              "dem widersprechen, was wir aus berechtigtem Interesse tun,",
              "eine Einwilligung jederzeit widerrufen; was vorher geschah, bleibt rechtmäßig.",
            ],
          },
          `Für all das: ${write}. Wir antworten innerhalb eines Monats. Es kostet nichts.`,
          "Wenn du meinst, dass wir unrechtmäßig mit deinen Daten umgehen, kannst du dich bei der Datenschutzbehörde beschweren, dort wo du lebst oder wo wir sind: im EWR bei der Behörde deines Landes, im Vereinigten Königreich beim Information Commissioner's Office, in der Schweiz beim Eidgenössischen Datenschutz- und Öffentlichkeitsbeauftragten.",
        ],
      },
      {
        id: "do-not-track",
        title: "Was ist mit Do-Not-Track-Signalen?",
        blocks: [
          "Browser können ein Do-Not-Track-Signal senden. Noch gibt es keine gemeinsame Regel, was eine Seite damit tun muss, deshalb reagieren wir nicht darauf. Es würde hier auch nichts ändern: Wir verfolgen niemanden. Sollte eine Regel kommen, an die wir uns halten müssen, steht es auf dieser Seite.",
        ],
      },
      {
        id: "us-states",
        title: "Haben Einwohner von US-Bundesstaaten besondere Rechte?",
        blocks: [
          "Ja. Wenn du in einem US-Bundesstaat mit Datenschutzgesetz lebst, etwa Kalifornien, Colorado, Connecticut, Utah oder Virginia, hast du das Recht zu erfahren, ob wir deine Daten verarbeiten, und",
          {
            list: [
              "Auskunft über sie zu bekommen,",
              "sie berichtigen zu lassen,",
              "sie löschen zu lassen,",
              "eine Kopie zu bekommen,",
              "dem Verkauf, gezielter Werbung und Profilbildung zu widersprechen,",
              "Beschwerde einzulegen, wenn wir ablehnen.",
            ],
          },
          "Wer diese Rechte nutzt, wird nicht schlechter behandelt.",
          "In den letzten 12 Monaten haben wir diese Arten von Daten erhoben: Kennungen (E-Mail-Adresse, Benutzername, Netzadresse), Zugangsdaten (einen Hash des Passworts) und Tätigkeit auf der Seite, soweit Sitzungen und Sicherheitsprotokoll sie enthalten. In diesen 12 Monaten haben wir keine persönlichen Daten verkauft oder weitergegeben, weder für Geld noch für anderes, und haben es nicht vor. Anfragen können 12 Monate zurückreichen.",
          `Um ein Recht zu nutzen, ${write}; im Formular kannst du deine Nachricht als Datenschutzanfrage markieren. Einen Widerspruch setzen wir innerhalb von 15 Tagen um. Wir bitten um einen Nachweis, dass du es bist, meist durch eine E-Mail an die Adresse deines Kontos, und nutzen ihn für nichts anderes.`,
          "Ein Bevollmächtigter kann für dich anfragen, mit einem schriftlichen Nachweis der Vollmacht; wir dürfen dich trotzdem um Bestätigung bitten. Ohne Nachweis lehnen wir die Anfrage ab.",
          "Colorado: Wenn wir ablehnen, sagen wir warum und wie du Beschwerde einlegst. Eine Beschwerde beantworten wir innerhalb von 45 Tagen schriftlich.",
          "Connecticut: Eine Beschwerde beantworten wir innerhalb von 60 Tagen schriftlich.",
          "Virginia: Eine Anfrage beantworten wir innerhalb von 45 Tagen; wo nötig, dürfen wir einmal um 45 Tage verlängern und nennen dir den Grund innerhalb der ersten 45. Eine Beschwerde beantworten wir innerhalb von 60 Tagen schriftlich. Wird sie abgelehnt, kannst du dich an den Attorney General von Virginia wenden.",
        ],
      },
      {
        id: "updates",
        title: "Ändern wir diese Erklärung?",
        blocks: [
          "Ja, wenn sich die Seite oder das Gesetz ändert. Das Datum oben nennt die neueste Fassung. Ändert sich etwas Wichtiges, sagen wir es auf der Seite oder per E-Mail, bevor es gilt.",
        ],
      },
      {
        id: "contact",
        title: "Wie erreichst du uns?",
        blocks: blocks(
          `Bei allen Fragen zu dieser Erklärung: ${write}.`,
          p.operator_name !== "" &&
            `Verantwortlich für die Seite: ${[p.operator_name, address].filter(Boolean).join(", ")}.`,
          "Mehr steht im [Impressum](/impressum).",
        ),
      },
      {
        id: "review-update-delete",
        title: "Wie kannst du deine Daten ansehen, ändern oder löschen?",
        blocks: [
          "Das meiste kannst du selbst tun, sofort und ohne zu fragen: In den [Einstellungen deines Kontos](/user/settings/profile) siehst und änderst du Benutzername, Avatar, E-Mail-Adresse, Passwort und Sitzungen, lädst alles herunter, was wir über dich haben, und löschst dein Konto.",
          `Für alles andere: ${write}.`,
        ],
      },
    ],
  };
}
