// The imprint: who runs the site. Shows only what the operator has entered.
import { blocks, type LegalText, type Particulars } from "./legal-text.ts";

const TEXTS = {
  en: {
    title: "Imprint",
    description: (site: string) => `Who runs ${site}, and how to reach them.`,
    who: "Who runs this site",
    nobody: "This site is run by its operator, whom you reach as said below.",
    representative: (name: string) => `Represented by ${name}`,
    register: (text: string) => `Register: ${text}`,
    vat: (id: string) => `VAT identification number: ${id}`,
    contact: "Contact",
    mail: (email: string) => `Email: [${email}](mailto:${email})`,
    form: "You reach us fastest by the [contact form](/contact).",
    disputes: "Disputes with consumers",
    disputes_text:
      "We are neither willing nor obliged to take part in dispute settlement before a consumer arbitration board. If there is a problem, please talk to us.",
    made: "About the games",
    made_text: "Names and marks of games belong to their owners. The pictures of this site are our own.",
  },
  de: {
    title: "Impressum",
    description: (site: string) => `Wer ${site} betreibt und wie man die Leute erreicht.`,
    who: "Wer diese Seite betreibt",
    nobody: "Diese Seite wird von ihrem Betreiber geführt, den du wie unten angegeben erreichst.",
    representative: (name: string) => `Vertreten durch ${name}`,
    register: (text: string) => `Register: ${text}`,
    vat: (id: string) => `Umsatzsteuer-Identifikationsnummer: ${id}`,
    contact: "Kontakt",
    mail: (email: string) => `E-Mail: [${email}](mailto:${email})`,
    form: "Am schnellsten erreichst du uns über das [Kontaktformular](/contact).",
    disputes: "Streit mit Verbrauchern",
    disputes_text:
      "Wir sind weder bereit noch verpflichtet, an Streitbeilegungsverfahren vor einer Verbraucherschlichtungsstelle teilzunehmen. Wenn es ein Problem gibt, sprich bitte mit uns.",
    made: "Zu den Spielen",
    made_text: "Namen und Marken von Spielen gehören ihren Inhabern. Die Bilder dieser Seite sind unsere eigenen.",
  },
};

export function imprint(language: "en" | "de", p: Particulars): LegalText {
  const t = TEXTS[language];
  const lines = [p.operator_name, ...p.operator_address.split("\n"), p.operator_country].map((line) => line.trim());
  const who = lines.filter(Boolean).join("\n");
  return {
    title: t.title,
    description: t.description(p.site_name),
    intro: [],
    sections: [
      {
        id: "operator",
        title: t.who,
        blocks: blocks(
          who || t.nobody,
          p.operator_representative && t.representative(p.operator_representative),
          p.operator_register && t.register(p.operator_register),
          p.operator_vat_id && t.vat(p.operator_vat_id),
        ),
      },
      { id: "contact", title: t.contact, blocks: blocks(p.contact_email && t.mail(p.contact_email), t.form) },
      { id: "disputes", title: t.disputes, blocks: [t.disputes_text] },
      { id: "games", title: t.made, blocks: [t.made_text] },
    ],
  };
}
