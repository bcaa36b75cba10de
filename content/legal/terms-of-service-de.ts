// The terms of service in German.
import { addressLine, blocks, type LegalText, type Particulars } from "./legal-text.ts";

export function termsOfServiceDe(p: Particulars): LegalText {
  const site = p.site_name;
  const operator = p.operator_name || "dem Betreiber dieser Seite";
  const address = addressLine(p);
  const write = p.contact_email
    ? `schreib an [${p.contact_email}](mailto:${p.contact_email}) oder nutze das [Kontaktformular](/contact)`
    : "nutze das [Kontaktformular](/contact)";
  const byCourt = p.court
    ? `entscheidet das Schiedsgericht „${p.court}“`
    : "entscheidet ein europäisches Schiedsgericht, auf das sich beide Seiten einigen,";
  return {
    title: "Nutzungsbedingungen",
    description: `Die Regeln für ${site}: was du von uns erwarten darfst und was wir von dir erwarten.`,
    intro: blocks(
      `Diese Bedingungen sind die Vereinbarung zwischen dir und ${operator} („wir“) darüber, wie du ${site} (${p.site_url}), die Gameserver und alles, was dazugehört (zusammen die „Dienste“), nutzt.${address ? ` Unsere Anschrift: ${address}.` : ""}`,
      "Indem du die Dienste nutzt, nimmst du diese Bedingungen an. Wenn du sie nicht annimmst, nutze die Dienste bitte nicht. Wo dich das Recht deines Wohnsitzlandes als Verbraucher zwingend schützt, bleibt dieser Schutz bestehen, was immer hier steht.",
    ),
    sections: [
      {
        id: "services",
        title: "Unsere Dienste",
        blocks: [
          "Wir zeigen, welche unserer Gameserver laufen und wer darauf ist, erklären, wie man mitspielt, und bieten dir ein Konto mit Namen und Avatar. Die Spiele selbst gehören ihren Herstellern, und du brauchst ein eigenes Recht, sie zu spielen.",
          "Die Dienste sind nicht für Orte gedacht, an denen ihre Nutzung gegen das Recht verstieße oder uns eine Registrierung auferlegte. Wer sie von anderswo nutzt, tut das aus eigener Entscheidung und beachtet das dortige Recht.",
        ],
      },
      {
        id: "intellectual-property",
        title: "Geistiges Eigentum",
        blocks: [
          "Gestaltung, Texte, Bilder und Software der Dienste gehören uns oder sind für uns lizenziert. Was unter einer offenen Lizenz veröffentlicht ist, bleibt unter dieser Lizenz. Namen und Marken von Spielen gehören ihren Inhabern; dass wir sie nennen, heißt nicht, dass sie uns kennen oder unterstützen.",
          "Du darfst die Dienste für dich und nicht gewerblich nutzen. Alles darüber hinaus, etwa größere Teile zu kopieren oder zu verkaufen, braucht unsere schriftliche Erlaubnis.",
        ],
      },
      {
        id: "your-representations",
        title: "Was du uns zusicherst",
        blocks: [
          "Indem du die Dienste nutzt, sicherst du uns zu, dass",
          {
            list: [
              "du diesen Bedingungen rechtswirksam zustimmen kannst,",
              "du dort, wo du lebst, nicht minderjährig bist oder deine Eltern mit der Nutzung einverstanden sind,",
              "deine Angaben bei der Registrierung wahr, vollständig und aktuell sind,",
              "du die Dienste nicht automatisiert aufrufst, etwa mit Bots oder Skripten,",
              "du sie für nichts Verbotenes nutzt,",
              "deine Nutzung gegen kein Gesetz verstößt.",
            ],
          },
          "Sind deine Angaben falsch, unvollständig oder veraltet, dürfen wir dein Konto sperren oder schließen. Behalte dein Passwort für dich; du stehst für das ein, was mit deinem Konto geschieht, bis du uns sagst, dass es in fremden Händen ist. Wir dürfen dich bitten, einen beleidigenden oder irreführenden Benutzernamen zu ändern.",
        ],
      },
      {
        id: "prohibited-activities",
        title: "Verbotenes",
        blocks: [
          "Die Dienste sind dazu da, Gameserver zu finden und miteinander zu spielen. Du darfst nicht",
          {
            list: [
              "Daten aus den Diensten auslesen (Scraping) oder ohne unsere schriftliche Erlaubnis eine Datenbank daraus aufbauen,",
              "Bots, Cheats, Exploits oder Automatisierung in den Diensten oder auf den Gameservern einsetzen,",
              "dich für andere ausgeben oder fremde Konten benutzen oder verkaufen,",
              "andere täuschen, belästigen, bedrohen, beleidigen oder benachteiligen oder dazu auffordern,",
              "Schutzmaßnahmen, Begrenzungen oder Sperren umgehen oder ohne unser Einverständnis nach Schwachstellen suchen,",
              "Viren hochladen oder die Dienste und die Maschinen dahinter überlasten oder stören,",
              "Werbung, Kettenbriefe oder Spam versenden,",
              "das, was du hier findest, nutzen, um uns Konkurrenz zu machen oder damit Geld zu verdienen,",
              "unsere Software kopieren, ändern oder zerlegen, soweit ihre Lizenz oder das Gesetz es nicht erlaubt,",
              "unsere Hilfe missbrauchen oder falsche Meldungen abgeben,",
              "gegen Gesetze verstoßen.",
            ],
          },
          "Hast du zufällig eine Schwachstelle gefunden, sag es bitte zuerst uns. Wir sind dankbar dafür.",
        ],
      },
      {
        id: "contributions",
        title: "Beiträge",
        blocks: [
          "Was du in die Dienste einbringst, ist dein Beitrag: dein Benutzername, dein Avatar, deine Nachrichten. Andere können ihn sehen. Du sicherst uns zu, dass er dir gehört oder du die Rechte daran hast, dass er niemanden gegen seinen Willen zeigt und dass er weder rechtswidrig, anstößig, hasserfüllt, gewaltverherrlichend, irreführend noch Werbung ist.",
          "Du stehst für deine Beiträge ein. Was gegen diese Bedingungen verstößt, dürfen wir entfernen oder ändern, in dringenden Fällen ohne Ankündigung.",
        ],
      },
      {
        id: "contribution-license",
        title: "Lizenz an Beiträgen",
        blocks: [
          "Deine Beiträge bleiben deine. Du erlaubst uns, sie zu speichern, zu kopieren, in der Größe zu ändern und zu zeigen, unentgeltlich und nur so weit, wie der Betrieb der Dienste es braucht. Diese Erlaubnis endet, wenn du den Beitrag entfernst oder dein Konto gelöscht wird.",
          "Schickst du uns eine Idee oder einen Vorschlag, dürfen wir sie nutzen, ohne dir dafür etwas zu schulden.",
        ],
      },
      {
        id: "services-management",
        title: "Verwaltung der Dienste",
        blocks: [
          "Wir dürfen, müssen aber nicht,",
          {
            list: [
              "auf Verstöße gegen diese Bedingungen achten,",
              "gegen alle vorgehen, die gegen sie verstoßen, bis hin zur Anzeige bei Behörden,",
              "Beiträge und Konten ablehnen, einschränken oder entfernen,",
              "Dateien entfernen, die zu groß sind oder unsere Maschinen belasten,",
              "die Dienste auch sonst so führen, dass unsere Rechte und unser Eigentum sicher sind und alles funktioniert.",
            ],
          },
        ],
      },
      {
        id: "term-and-termination",
        title: "Laufzeit und Ende",
        blocks: [
          "Diese Bedingungen gelten, solange du die Dienste nutzt. Du kannst das jederzeit beenden, indem du dein Konto in dessen Einstellungen löschst.",
          "Wir dürfen nach eigenem Ermessen und ohne Ankündigung Konten sperren oder schließen und Netzadressen (IP-Adressen) blockieren, vor allem bei Verstößen gegen diese Bedingungen oder das Gesetz. Wo wir können, nennen wir dir den Grund, und du kannst uns dazu [schreiben](/contact).",
          "Haben wir dein Konto geschlossen, darfst du kein neues anlegen, weder unter deinem noch unter einem erfundenen oder geliehenen Namen, auch nicht im Auftrag anderer. Wir behalten uns vor, vor Gericht zu gehen.",
        ],
      },
      {
        id: "modifications",
        title: "Änderungen und Unterbrechungen",
        blocks: [
          "Wir dürfen die Dienste oder Teile davon jederzeit und ohne Ankündigung ändern, unterbrechen oder einstellen. Für die Folgen haften wir nicht.",
          "Wir können nicht versprechen, dass die Dienste immer erreichbar sind: Maschinen fallen aus und brauchen Pflege. Du hast keinen Anspruch auf einen bestimmten Gameserver, seinen Zustand oder seinen Spielstand. Sichere, was dir wichtig ist.",
        ],
      },
      {
        id: "governing-law",
        title: "Anwendbares Recht",
        blocks: [
          "Es gilt deutsches Recht; das Übereinkommen der Vereinten Nationen über Verträge über den internationalen Warenkauf gilt nicht. Bist du Verbraucher in der Europäischen Union, behältst du außerdem den Schutz des zwingenden Rechts deines Wohnsitzlandes.",
        ],
      },
      {
        id: "dispute-resolution",
        title: "Streitbeilegung",
        blocks: [
          "Zuerst wird geredet: Bei jedem Streit versuchen beide Seiten mindestens 60 Tage lang, ihn formlos beizulegen, bevor ein Schiedsverfahren beginnt. Die Tage zählen ab dem Moment, in dem eine Seite der anderen schreibt.",
          `Was sich nicht beilegen lässt, ${byCourt} nach seinen Regeln durch einen Schiedsrichter. Die Sprache des Verfahrens ist Deutsch, und es gilt deutsches Recht.`,
          "Das Verfahren besteht nur zwischen dir und uns: keine Sammelklagen und keine Verbindung mit Verfahren anderer.",
          "Ausgenommen sind Streitigkeiten über geistiges Eigentum, über Diebstahl, Piraterie oder Eingriffe in die Privatsphäre sowie Eilmaßnahmen: Sie gehören vor die Gerichte. Bist du Verbraucher, kannst du immer die Gerichte anrufen, die das Gesetz dir gibt; niemand muss vor ein Schiedsgericht, der rechtlich nicht daran gebunden werden kann.",
        ],
      },
      {
        id: "corrections",
        title: "Berichtigungen",
        blocks: [
          "Auf diesen Seiten können Fehler stehen: in Beschreibungen, in Adressen, in Zahlen. Wir dürfen sie jederzeit und ohne Ankündigung berichtigen und alles auf den neuesten Stand bringen. Zahlen zu Gameservern sind gemessen und können einige Sekunden oder Minuten alt sein.",
        ],
      },
      {
        id: "disclaimer",
        title: "Gewährleistung",
        blocks: [
          "Die Dienste werden angeboten, wie sie sind und soweit sie verfügbar sind. Du nutzt sie auf eigene Gefahr. Soweit das Gesetz es erlaubt, übernehmen wir keine Gewähr, weder für die Eignung zu einem Zweck noch für Fehlerfreiheit, und keine für andere Seiten, auf die wir verweisen, oder für das, was andere dort anbieten.",
          "Programme und Dateien, die unsere Anleitungen nennen, stammen von anderen, wenn wir nichts anderes sagen. Prüfe, was du herunterlädst.",
        ],
      },
      {
        id: "liability",
        title: "Grenzen der Haftung",
        blocks: [
          "Für mittelbare Schäden, entgangenen Gewinn, verlorene Daten oder verlorenen Spielfortschritt haften wir nicht, soweit das Gesetz es erlaubt.",
          p.liability_sum
            ? `In allen anderen Fällen ist unsere Haftung begrenzt auf den kleineren der beiden Beträge: was du uns in den sechs Monaten vor Entstehen des Anspruchs gezahlt hast, und ${p.liability_sum}.`
            : "In allen anderen Fällen ist unsere Haftung begrenzt auf das, was du uns in den sechs Monaten vor Entstehen des Anspruchs gezahlt hast.",
          "Nichts davon begrenzt die Haftung für Vorsatz und grobe Fahrlässigkeit, für Schäden an Leben, Körper oder Gesundheit, für Garantien, nach dem Produkthaftungsgesetz oder für wesentliche Vertragspflichten bis zum vorhersehbaren Schaden.",
        ],
      },
      {
        id: "indemnification",
        title: "Freistellung",
        blocks: [
          "Machen andere Ansprüche gegen uns geltend, weil du schuldhaft diese Bedingungen, Gesetze oder ihre Rechte verletzt hast, oder wegen deiner Beiträge, stellst du uns davon frei, einschließlich angemessener Anwaltskosten. Wir sagen dir von solchen Ansprüchen, sobald wir sie kennen, und du hilfst uns, sie abzuwehren.",
        ],
      },
      {
        id: "user-data",
        title: "Nutzerdaten",
        blocks: [
          "Wir speichern Daten, die du uns gibst, um die Dienste zu betreiben; wie, steht in der [Datenschutzerklärung](/privacy-policy). Wir legen Sicherungskopien an, aber du bist für deine Daten selbst verantwortlich und hast bei Verlust keinen Anspruch gegen uns, innerhalb der oben genannten Grenzen der Haftung.",
        ],
      },
      {
        id: "electronic-communications",
        title: "Elektronische Kommunikation",
        blocks: [
          "Wenn du die Dienste besuchst, uns schreibst oder ein Formular ausfüllst, kommunizierst du elektronisch. Du bist einverstanden, dass wir auf demselben Weg antworten, per E-Mail oder auf der Seite, und dass das eine gesetzliche Schriftform erfüllt, wo immer das Gesetz es zulässt.",
        ],
      },
      {
        id: "miscellaneous",
        title: "Verschiedenes",
        blocks: [
          "Diese Bedingungen und das auf der Seite Veröffentlichte sind die ganze Vereinbarung zwischen dir und uns. Nutzen wir ein Recht nicht sofort, haben wir es nicht aufgegeben. Ist ein Teil dieser Bedingungen unwirksam, bleibt der Rest bestehen. Wir dürfen unsere Rechte und Pflichten auf andere übertragen. Zwischen dir und uns besteht keine Gesellschaft, kein Arbeitsverhältnis und keine Vertretung. Diese Bedingungen gibt es auf Deutsch und Englisch; weichen sie voneinander ab, gilt der deutsche Text.",
        ],
      },
      {
        id: "contact",
        title: "Kontakt",
        blocks: blocks(
          `Bei Beschwerden und Fragen: ${write}.`,
          p.operator_name !== "" && [p.operator_name, address].filter(Boolean).join(", "),
          "Mehr steht im [Impressum](/impressum).",
        ),
      },
    ],
  };
}
