// Where game servers stand, in the reader's language: an admin writes what they like, and what is the name of a country in one of
// our languages is said in the page's own. For loaders alone: a browser may know a country by another name than our server.

import type { Locale } from "#shared/locale.ts";
import { language } from "../../language.ts";

type Countries = { names: Record<Locale, Intl.DisplayNames>; codes: Map<string, string> };
let countries: Countries | undefined;

/** A location as its admin wrote it ("Germany", "Falkenstein"), in the page's language where it is a country. */
export function locationText(location: string): string {
  countries ??= listCountries();
  const code = countries.codes.get(fold(location));
  return code === undefined ? location : (countries.names[language()].of(code) ?? location);
}

const fold = (name: string) => name.trim().toLowerCase();

/** All countries that have a code of two letters (ISO 3166-1), by their names in each of our languages. */
function listCountries(): Countries {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const named = (locale: Locale) => new Intl.DisplayNames(locale, { type: "region", fallback: "none" });
  const names: Countries["names"] = { en: named("en"), de: named("de") };
  const codes: Countries["codes"] = new Map();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    for (const locale of ["en", "de"] as const) {
      const name = fold(names[locale].of(code) ?? "");
      if (name !== "" && !codes.has(name)) codes.set(name, code);
    }
  }
  return { names, codes };
}
