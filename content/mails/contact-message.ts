// Mail to the operator about a contact message.
import type { WrittenIn } from "./write-mail.ts";

type Message = {
  name: string;
  email: string;
  message: string;
  request_kind: string | null;
  request_region: string | null;
};

export const contactMessage: WrittenIn<Message> = {
  en: ({ name, email, message, request_kind, request_region }, site) => ({
    subject: request_kind
      ? `Privacy request by the contact form of ${site.name}`
      : `Message by the contact form of ${site.name}`,
    paragraphs: [
      `${name} (${email}) writes:`,
      ...(request_kind
        ? [
            `Marked as a privacy request: ${KINDS.en[request_kind] ?? request_kind}. Lives in: ${REGIONS.en[request_region ?? ""] ?? request_region}. The law counts the days from today.`,
          ]
        : []),
    ],
    quote: message,
    after: ["Answer this mail to reach the sender. The name and the address are as typed; nobody has checked them."],
    why: "You get this mail because you are named as the contact of this site.",
  }),
  de: ({ name, email, message, request_kind, request_region }, site) => ({
    subject: request_kind
      ? `Datenschutzanfrage über das Kontaktformular von ${site.name}`
      : `Nachricht über das Kontaktformular von ${site.name}`,
    paragraphs: [
      `${name} (${email}) schreibt:`,
      ...(request_kind
        ? [
            `Als Datenschutzanfrage markiert: ${KINDS.de[request_kind] ?? request_kind}. Wohnt in: ${REGIONS.de[request_region ?? ""] ?? request_region}. Das Gesetz zählt die Tage ab heute.`,
          ]
        : []),
    ],
    quote: message,
    after: [
      "Antworte auf diese E-Mail, um den Absender zu erreichen. Name und Adresse sind wie eingegeben, niemand hat sie geprüft.",
    ],
    why: "Du bekommst diese E-Mail, weil du als Kontakt dieser Seite eingetragen bist.",
  }),
};

const KINDS: Record<"en" | "de", Record<string, string>> = {
  en: {
    access: "see the data",
    correct: "correct the data",
    delete: "delete the data",
    copy: "get a copy",
    opt_out: "opt out of processing",
    appeal: "appeal against a decision",
  },
  de: {
    access: "Auskunft",
    correct: "Berichtigung",
    delete: "Löschung",
    copy: "Kopie der Daten",
    opt_out: "Widerspruch gegen die Verarbeitung",
    appeal: "Beschwerde gegen eine Entscheidung",
  },
};

const REGIONS: Record<"en" | "de", Record<string, string>> = {
  en: {
    europe: "EEA, United Kingdom or Switzerland",
    colorado: "Colorado",
    connecticut: "Connecticut",
    virginia: "Virginia",
    us_other: "another US state",
    elsewhere: "elsewhere",
  },
  de: {
    europe: "EWR, Vereinigtes Königreich oder Schweiz",
    colorado: "Colorado",
    connecticut: "Connecticut",
    virginia: "Virginia",
    us_other: "ein anderer US-Bundesstaat",
    elsewhere: "anderswo",
  },
};
