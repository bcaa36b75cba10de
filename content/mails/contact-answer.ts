// Mail with the operators' answer to a contact message. Doesn't quote the message, because the address isn't verified.
import { mailTime, type WrittenIn } from "./write-mail.ts";

const paragraphs = (text: string) => text.split(/\n+/).filter((line) => line.trim() !== "");

export const contactAnswer: WrittenIn<{ answer: string; written_at: string }> = {
  en: ({ answer, written_at }, site) => ({
    subject: `Answer to your message to ${site.name}`,
    paragraphs: [`You wrote to us on ${mailTime(written_at, "en")}. This is our answer:`, ...paragraphs(answer)],
    why: "You get this mail because somebody gave this address in our contact form.",
  }),
  de: ({ answer, written_at }, site) => ({
    subject: `Antwort auf deine Nachricht an ${site.name}`,
    paragraphs: [
      `Du hast uns am ${mailTime(written_at, "de")} geschrieben. Das ist unsere Antwort:`,
      ...paragraphs(answer),
    ],
    why: "Du bekommst diese E-Mail, weil jemand diese Adresse in unserem Kontaktformular angegeben hat.",
  }),
};
