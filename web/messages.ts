// Reads interface texts for responses without a page of the app: bare texts, the waiting room, widgets, link pictures. Reads
// shared/messages directly: the compiled ones belong to the app and its build.
import type { Context } from "hono";
import { type Locale, localeAt } from "#shared/locale.ts";
import de from "#shared/messages/de.json" with { type: "json" };
import en from "#shared/messages/en.json" with { type: "json" };

export type MessageName = Exclude<keyof typeof en, "$schema">;
type Message = string | { match: Record<string, string> }[];

const MESSAGES: Record<Locale, Record<MessageName, Message>> = { en, de };

/**
 * Gets a message in a language. `values` fill its placeholders, unchanged; a message with plural forms takes `count`, and shows it
 * as the language writes it.
 */
export function message(locale: Locale, name: MessageName, values: Record<string, string | number> = {}): string {
  const found = MESSAGES[locale][name];
  if (typeof found === "string") return fill(found, values);
  const count = Number(values.count);
  const form = found[0]?.match[`form=${new Intl.PluralRules(locale).select(count)}`] ?? "";
  return fill(form, { ...values, shown: new Intl.NumberFormat(locale).format(count) });
}

/** Answers with one sentence, in the language of the address: in place of a picture, a badge or a file. Not cached. */
export function answerBare(c: Context, name: MessageName, status: 400 | 404 | 405 | 503): Response {
  c.header("Cache-Control", "no-store");
  return c.text(`${message(localeAt(c.req.path), name)}\n`, status);
}

const fill = (text: string, values: Record<string, string | number>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
