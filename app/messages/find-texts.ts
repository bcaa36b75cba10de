// Finds texts for readers in a script's source: they belong in the messages.
import { parseAst } from "vite";

type Node = { type: string; [key: string]: unknown };

/** Names that are the same in every language. */
const NAMES = new Set(["Discord", "Spawnpoint"]);
/** Attributes and props whose values are shown or read out. */
const READ = new Set(
  "aria-label aria-description aria-roledescription aria-valuetext alt title placeholder label labels text texts accessibleName hint".split(
    " ",
  ),
);

/** Matches a word, but not the beginning of a web address. */
const LETTER = /^(?!https:\/\/).*\p{L}/u;
/** Where it is unclear if a string is shown, only phrases count: a word may be a key, and media queries are for browsers. */
const PHRASE = /^(?!.*\(.*(?:width|prefers)).*\p{L}{2,}[,;:]? \p{L}/u;
/** In a script without markup most phrases are for programs (headers, selectors, queries): only sentence-like ones count. */
const SENTENCE = /^(?!SELECT |.*mailto:)[^<>={}]*$(?<=^\p{Lu}\p{L}*(?:[,;:]? [\p{L}\d]+)*[,;:]? \p{Ll}{2,}.*)/u;
/** Matches a word of a text; not a path or a language tag. */
const WORD = /^\p{Lu}\p{Ll}/u;

/** Which strings count as text: every letter where it is shown or read out; else only text-like ones. */
type Reading = "shown" | "by language" | "unknown";

/** Lists the texts in a script's source, in order. Skips the content of <code>. */
export function findTexts(source: string, kind: "ts" | "tsx" = "tsx"): string[] {
  const phrase = kind === "tsx" ? PHRASE : SENTENCE;
  const counts: Record<Reading, RegExp[]> = { shown: [LETTER], "by language": [WORD, PHRASE], unknown: [phrase] };
  const found: string[] = [];
  visit(parseAst(source, { lang: kind }) as unknown as Node, "unknown", (text, reading) => {
    if (counts[reading].some((shape) => shape.test(text)) && !NAMES.has(text)) found.push(text);
  });
  return found;
}

type Take = (text: string, reading: Reading) => void;

function visit(node: Node, reading: Reading, take: Take): void {
  const value = literalIn(node);
  if (value !== null) take(value, reading);
  for (const [key, value] of Object.entries(node)) {
    if (key === "source") continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visitChild(node, key, child, reading, take);
    }
  }
}

function visitChild(parent: Node, key: string, child: Node, reading: Reading, take: Take) {
  const go = (read: Reading) => visit(child, read, take);
  switch (parent.type) {
    case "JSXElement":
      if (key === "children" && nameOf((parent.openingElement as Node).name) === "code") return;
      return go(key === "children" ? "shown" : "unknown");
    case "JSXFragment":
      return go(key === "children" ? "shown" : "unknown");
    case "JSXAttribute": {
      const read = READ.has(nameOf(parent.name));
      // Other attributes hold strings for machines; code in them is searched.
      if (key === "value" && (read || child.type !== "Literal")) go(read ? "shown" : "unknown");
      return;
    }
    case "JSXExpressionContainer":
    case "TemplateLiteral":
    case "ParenthesizedExpression":
    case "ObjectExpression":
      return go(reading);
    case "Property":
      if (key === "value") go(isLanguage(nameOf(parent.key)) ? "shown" : reading);
      return;
    case "ArrowFunctionExpression":
      return go(key === "body" ? reading : "unknown");
    case "ConditionalExpression":
      if (key === "test") return go("unknown");
      return go(asksForLanguage(parent.test as Node) ? "by language" : reading);
    case "LogicalExpression":
      return go(key === "right" || parent.operator !== "&&" ? reading : "unknown");
    case "NewExpression":
      // Error texts are for the log.
      if (!nameOf(parent.callee).endsWith("Error")) go("unknown");
      return;
    case "CallExpression":
      if (!isLog((parent.callee as Node).object)) go("unknown");
      return;
    default:
      return go("unknown");
  }
}

function literalIn(node: Node): string | null {
  const value =
    node.type === "JSXText" || (node.type === "Literal" && typeof node.value === "string")
      ? String(node.value)
      : node.type === "TemplateElement"
        ? (node.value as { cooked: string }).cooked
        : null;
  return value === null ? null : value.replaceAll(/\s+/g, " ").trim();
}

const isLanguage = (name: unknown): boolean => name === "en" || name === "de";
/** True for a comparison with "de". */
const asksForLanguage = ({ left, right }: Node): boolean =>
  [left, right].some((side) => isNode(side) && isLanguage(side.value));
/** True for `log`, or a property of that name. */
const isLog = (node: unknown): boolean => nameOf(node) === "log" || (isNode(node) && nameOf(node.property) === "log");
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
const nameOf = (node: unknown): string => (isNode(node) && typeof node.name === "string" ? node.name : "");
