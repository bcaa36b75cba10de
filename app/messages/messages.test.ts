/** Both languages say everything, with the same values, and no text stands in a component. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, it, test } from "node:test";
import de from "#shared/messages/de.json" with { type: "json" };
import en from "#shared/messages/en.json" with { type: "json" };
import { findTexts } from "./find-texts.ts";

type Variants = { declarations: string[]; selectors: string[]; match: Record<string, string> }[];
type Message = string | Variants;

const languages = { en: messagesOf(en), de: messagesOf(de) };
const app = path.join(import.meta.dirname, "..");

function messagesOf(file: object): Map<string, Message> {
  const entries: [string, Message][] = Object.entries(file);
  return new Map(entries.filter(([name]) => name !== "$schema"));
}

const textsOf = (message: Message): string[] =>
  typeof message === "string" ? [message] : message.flatMap(({ match }) => Object.values(match));

/** The values that a message takes: what is declared as input, else what its text names. */
function valuesOf(message: Message): string[] {
  const inputs =
    typeof message === "string"
      ? [...message.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "")
      : message.flatMap(({ declarations }) =>
          declarations.flatMap((declaration) => /^input (\w+)$/.exec(declaration)?.[1] ?? []),
        );
  return [...new Set(inputs)].sort();
}

describe("the messages", () => {
  it("lack neither language", () => {
    const missing = (own: Map<string, Message>, other: Map<string, Message>) =>
      [...other.keys()].filter((name) => !own.has(name));
    assert.deepEqual(missing(languages.en, languages.de), [], "missing in en.json");
    assert.deepEqual(missing(languages.de, languages.en), [], "missing in de.json");
  });

  it("are never empty, and have no braces that nothing fills", () => {
    for (const [language, messages] of Object.entries(languages))
      for (const [name, message] of messages)
        for (const text of textsOf(message)) {
          assert.ok(text.trim() !== "", `${language} ${name}`);
          assert.doesNotMatch(text.replaceAll(/\{\w+\}/g, ""), /[{}]/, `${language} ${name}`);
        }
  });

  it("take the same values in both languages", () => {
    for (const [name, message] of languages.en)
      assert.deepEqual(valuesOf(languages.de.get(name) ?? ""), valuesOf(message), name);
  });

  it("say the same variants in both languages, but for the forms of a count", () => {
    const variantsOf = (message: Message | undefined): string[] =>
      typeof message === "object"
        ? message.flatMap(({ match, selectors }) => (selectors.includes("form") ? [] : Object.keys(match))).sort()
        : [];
    for (const [name, message] of languages.en)
      assert.deepEqual(variantsOf(languages.de.get(name)), variantsOf(message), name);
  });

  it("cover every form that a count has in its language", () => {
    for (const [language, messages] of Object.entries(languages))
      for (const [name, message] of messages) {
        if (typeof message === "string") continue;
        const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
        for (const { match, selectors } of message) {
          if (!selectors.includes("form")) continue;
          for (const form of forms) assert.ok(match[`form=${form}`], `${language} ${name} lacks the form ${form}`);
        }
      }
  });

  it("are each used somewhere", () => {
    const sourceOf = (files: string, cwd: string) =>
      globSync(files, { cwd, exclude: ["paraglide", "**/*.test.ts"] })
        .map((file) => readFileSync(path.join(cwd, file), "utf8"))
        .join("\n");
    const calls = sourceOf("**/*.{ts,tsx}", app).matchAll(/\bm\.(\w+)/g);
    const keys = sourceOf("**/*.ts", path.join(app, "../web")).matchAll(/"(\w+)"/g);
    const used = new Set([...calls, ...keys].map(([, name]) => name));
    const unused = [...languages.en.keys()].filter((name) => !used.has(name));
    assert.deepEqual(unused, []);
  });
});

/** What programs read, in English like the API: no person is shown it. And what operators read of our figures. */
const FOR_PROGRAMS = [
  "app/routes/public/servers/history-data.ts",
  "web/accounts/{auth,passkey}-endpoints.ts",
  "web/api/**",
  "web/metrics.ts",
  "web/outpost-work-endpoint.ts",
];

describe("no text stands in a script", () => {
  it("is found where there is one", () => {
    const component = findTexts(`
      const TEXT = { en: { ask: "Are you sure?", save: "Save", left: (n) => \`\${n} left\` } };
      const Page = ({ on, name, locale }) => (
        <main aria-label="Things" className="not a text">
          Hello <b>{on ? "Yes" : "no"}</b> {\`\${name} rules\`} {m.home_title({ site: "ok" })}
          <input placeholder="Name" title={on ? "a1" : ""} />
          <Legal contents={locale === "de" ? "Inhalt" : "Contents"} prefix={locale === "de" ? "/de" : ""} />
          <code>npm start</code>
        </main>
      );`);
    const texts = ["Are you sure?", "Save", "left", "Things", "Hello", "Yes", "no", "rules", "Name", "a1"];
    assert.deepEqual(component, [...texts, "Inhalt", "Contents"]);
    const script = findTexts(
      `
      const FACE = { online: { de: "Wird geprüft", tone: "quiet" } };
      log.warn({ err }, "Nobody reads this on a page.");
      if (!file) throw new StorageError("The store does not answer.");
      const headers = { "Cache-Control": "private, no-store", Vary: "Accept-Encoding, Cookie", lang: "de" };
      c.text("There is no such picture.\\n", 404);`,
      "ts",
    );
    assert.deepEqual(script, ["Wird geprüft", "There is no such picture."]);
  });

  const root = path.join(app, "..");
  const files = globSync(["app/root.tsx", "app/{live,routes,ui}/**/*.{ts,tsx}", "app/*.ts", "web/**/*.ts"], {
    cwd: root,
    exclude: ["**/*.test.ts", ...FOR_PROGRAMS],
  });
  for (const file of files.sort()) {
    it(file, () => {
      const kind = file.endsWith(".tsx") ? "tsx" : "ts";
      assert.deepEqual(findTexts(readFileSync(path.join(root, file), "utf8"), kind), []);
    });
  }
});

test("no link forgets the language: only ours lead within the site", () => {
  const forgetful = globSync("{live,routes,ui}/**/*.tsx", { cwd: app, exclude: ["ui/link/link.tsx"] }).filter((file) =>
    /import \{[^}]*\b(?:Link|NavLink)\b[^}]*\} from "react-router"/.test(readFileSync(path.join(app, file), "utf8")),
  );
  assert.deepEqual(forgetful, []);
});
