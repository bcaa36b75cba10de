// Translates locations of game servers: an admin writes anything; names of countries in one of the site's languages are shown in
// the page's. For loaders only: a browser may have other country names than the server.

import type { Locale } from "#shared/locale.ts";
import { language } from "../../language.ts";

type Countries = { names: Record<Locale, Intl.DisplayNames>; codes: Map<string, string> };
let countries: Countries | undefined;

/** Returns a location ("Germany", "Falkenstein") in the page's language if it is a country. */
export function locationText(location: string): string {
  countries ??= listCountries();
  const code = countries.codes.get(fold(location));
  return code === undefined ? location : (countries.names[language()].of(code) ?? location);
}

const fold = (name: string) => name.trim().toLowerCase();

/** Lists all countries with a two-letter code (ISO 3166-1), by name in each language. */
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
