// How messages write numbers and choose their forms, in the place of Paraglide's registry, which makes a new formatter for
// every text that it says.

export * from "../paraglide/registry.js";

export function plural(locale: string, input: unknown, options: Intl.PluralRulesOptions = {}): Intl.LDMLPluralRule {
  return rulesOf(locale, options).select(Number(input));
}

export function number(locale: string, input: unknown, options: Intl.NumberFormatOptions = {}): string {
  return numbersOf(locale, options).format(Number(input));
}

const rulesOf = keep((locale, options: Intl.PluralRulesOptions) => new Intl.PluralRules(locale, options));
const numbersOf = keep((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options));

/** One for each language and each set of options: those of messages are written in them, so there is an end to both. */
function keep<Options, Formatter>(make: (locale: string, options: Options) => Formatter) {
  const kept = new Map<string, Formatter>();
  return (locale: string, options: Options): Formatter => {
    const key = locale + JSON.stringify(options);
    const formatter = kept.get(key) ?? make(locale, options);
    kept.set(key, formatter);
    return formatter;
  };
}
