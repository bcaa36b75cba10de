// Why a picture or a name was refused, in words.
import type { NameRefusal } from "#domain/members/profiles.ts";
import type { Spoken } from "#shared/spoken.ts";
import type { AvatarOutcome } from "#web/accounts/avatar-actions.ts";

type Reason = Extract<AvatarOutcome, { ok: false }>["reason"];

const AVATAR: Record<Spoken, Record<Reason, string>> = {
  en: {
    empty: "No picture was chosen.",
    "too-heavy": "This file is too large. A picture may have 5 MB at most.",
    "no-image": "This file is no picture that we can use. Please choose a JPEG, PNG, WebP, GIF or AVIF.",
    "too-many-pixels": "This picture is too large. It may have 24 megapixels at most, such as 6000 × 4000.",
    moving: "This picture moves. Please choose a still one.",
    polyglot: "This file holds more than a picture, so we do not take it. Save the picture anew and try that one.",
    broken: "This picture is damaged or incomplete. Please choose another one.",
    "too-slow": "This picture took too long to read. Please choose a simpler one.",
    busy: "Many pictures are coming in right now. Please try again in a moment.",
    storage: "The picture could not be stored, so your avatar is still the old one. Please try again later.",
    limit: "That were many changes in a short time. Please try again in an hour.",
    slow: "The picture arrived too slowly, so we stopped waiting. Please try again, or choose a smaller one.",
    arriving: "Two uploads of yours are still on their way. Please wait until they are done.",
  },
  de: {
    empty: "Es wurde kein Bild ausgewählt.",
    "too-heavy": "Diese Datei ist zu groß. Ein Bild darf höchstens 5 MB haben.",
    "no-image": "Diese Datei ist kein Bild, das wir verwenden können. Bitte wähle ein JPEG, PNG, WebP, GIF oder AVIF.",
    "too-many-pixels": "Dieses Bild ist zu groß. Es darf höchstens 24 Megapixel haben, etwa 6000 × 4000.",
    moving: "Dieses Bild bewegt sich. Bitte wähle ein unbewegtes.",
    polyglot:
      "In dieser Datei steckt mehr als ein Bild, darum nehmen wir sie nicht an. Speichere das Bild neu und versuche es damit.",
    broken: "Dieses Bild ist beschädigt oder unvollständig. Bitte wähle ein anderes.",
    "too-slow": "Dieses Bild zu lesen hat zu lange gedauert. Bitte wähle ein einfacheres.",
    busy: "Gerade kommen viele Bilder an. Bitte versuche es gleich noch einmal.",
    storage:
      "Das Bild konnte nicht gespeichert werden, dein Avatar ist noch der alte. Bitte versuche es später noch einmal.",
    limit: "Das waren viele Änderungen in kurzer Zeit. Bitte versuche es in einer Stunde noch einmal.",
    slow: "Das Bild kam zu langsam an, darum warten wir nicht länger. Bitte versuche es noch einmal, oder nimm ein kleineres.",
    arriving: "Zwei deiner Bilder sind noch unterwegs. Bitte warte, bis sie angekommen sind.",
  },
};

const NAME: Record<Spoken, Record<NameRefusal | "limit", string>> = {
  en: {
    short: "A user name has at least 2 characters.",
    long: "A user name has at most 32 characters.",
    characters: "Please use letters, digits, signs and single spaces; invisible characters are not allowed.",
    reserved:
      "This name looks like one of the people who run this site, so it is kept for them. Please choose another one.",
    taken: "Somebody else has this name already. Please choose another one.",
    limit: "That were many changes in a short time. Please try again in an hour.",
  },
  de: {
    short: "Ein Benutzername hat mindestens 2 Zeichen.",
    long: "Ein Benutzername hat höchstens 32 Zeichen.",
    characters:
      "Bitte nimm Buchstaben, Ziffern, Zeichen und einzelne Leerzeichen; unsichtbare Zeichen sind nicht erlaubt.",
    reserved:
      "Dieser Name sieht aus wie einer der Leute, die diese Seite betreiben, und ist für sie reserviert. Bitte wähle einen anderen.",
    taken: "Diesen Namen hat schon jemand. Bitte wähle einen anderen.",
    limit: "Das waren viele Änderungen in kurzer Zeit. Bitte versuche es in einer Stunde noch einmal.",
  },
};

export const avatarWords = (spoken: Spoken, reason: Reason): string => AVATAR[spoken][reason];
export const nameWords = (spoken: Spoken, reason: NameRefusal | "limit"): string => NAME[spoken][reason];
