// Compiles the messages of both languages before a build, gives them their language our way (by the address alone), and makes
// those for browsers short.
import path from "node:path";
import { paraglideVitePlugin } from "@inlang/paraglide-js";
import type { PluginOption } from "vite";

const compiled = path.join(import.meta.dirname, "app", "paraglide");
const ours = path.join(import.meta.dirname, "app", "messages");

/** The Vite plugins; what they write to app/paraglide is the same as what `npm run messages` writes. */
export function messages(): PluginOption {
  return [
    paraglideVitePlugin({ project: "./project.inlang", outdir: "./app/paraglide" }),
    {
      name: "spawnpoint:language",
      enforce: "pre",
      resolveId(source, importer) {
        if (!/(?:runtime|registry)\.js$/.test(source) || !source.startsWith(".") || !importer) return null;
        const asked = path.resolve(path.dirname(importer), source);
        const formatters = path.join(ours, "kept-formatters.ts");
        if (asked === path.join(compiled, "registry.js")) return importer === formatters ? null : formatters;
        if (asked !== path.join(compiled, "runtime.js")) return null;
        const side = this.environment.name === "client" ? "language-in-browser.ts" : "language-on-server.ts";
        return path.join(ours, side);
      },
    },
    {
      name: "spawnpoint:short-messages",
      applyToEnvironment: (environment) => environment.name === "client",
      transform: {
        filter: { id: /app[\\/]paraglide[\\/]messages[\\/](?!_index)\w+\.js$/ },
        handler: (code) => ({ code: shortMessage(code), map: null }),
      },
    },
  ];
}

/** What chooses the language in a compiled message. */
const CHOICE =
  /^export const (\w+) = [^\n]*=> \{\n\tconst locale = [^\n]*\n\tif \(locale === "de"\) return (\w+)\(inputs\)\n\treturn (\w+)\(inputs\)\n\}\);/m;
/** A text of one sentence pattern, without forms for numbers. */
const TEXT =
  /^const (\w+) = [^\n]*\(i?\) => \{\n\treturn (?:\/\*\* @type \{LocalizedString\} \*\/ )?\((`(?:[^`\\]|\\.)*`)\)\n\};/gm;

/**
 * A compiled message for the browser, as short as it can be said: `(i, o) => inGerman(o) ? … : …`. What is compiled in another
 * way one day stays as it is.
 */
export function shortMessage(code: string): string {
  const [choice, name, german = "", english = ""] = CHOICE.exec(code) ?? [];
  if (!choice) return code;
  const texts = new Map<string, string>();
  const rest = code.replace(TEXT, (whole, text: string, said: string) => {
    texts.set(text, said);
    return text === german || text === english ? "" : whole;
  });
  const both = texts.has(german) && texts.has(english);
  const say = (text: string) => (both ? texts.get(text) : `${text}(i)`);
  return rest
    .replace(/^import \{ getLocale[^\n]*$/m, 'import { inGerman } from "../runtime.js";')
    .replace(CHOICE, () => `export const ${name} = (i, o) => (inGerman(o) ? ${say(german)} : ${say(english)});`);
}
