// Finds the texts in a script's source that people would read: they belong into the messages.
import { parseAst } from "vite";

type Node = { type: string; [key: string]: unknown };

/** Names that are the same in every language. */
const NAMES = new Set(["Discord", "Spawnpoint"]);
/** Attributes and props that hold what is read or read out. */
const READ = new Set(
  "aria-label aria-description aria-roledescription aria-valuetext alt title placeholder label labels text texts accessibleName hint".split(
    " ",
  ),
);

/** A word; the beginning of a web address is none. */
const LETTER = /^(?!https:\/\/).*\p{L}/u;
/** Where nothing says that it is read, only a phrase counts: a single word may be a key, and a media query is for browsers. */
const PHRASE = /^(?!.*\(.*(?:width|prefers)).*\p{L}{2,}[,;:]? \p{L}/u;
/** In a script without markup most phrases are for programs (headers, selectors, queries): what begins like a sentence counts. */
const SENTENCE = /^(?!SELECT |.*mailto:)[^<>={}]*$(?<=^\p{Lu}\p{L}*(?:[,;:]? [\p{L}\d]+)*[,;:]? \p{Ll}{2,}.*)/u;
/** A word as it stands in a text; a path or the tag of a language is none. */
const WORD = /^\p{Lu}\p{Ll}/u;

/** How much of a string is a text: every letter, where it is shown or read out; else what looks like one. */
type Reading = "shown" | "by language" | "unknown";

/** The texts in the source of a script, in its order. What stands in <code> is not language. */
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
      // Texts in any other attribute are for machines; code in it is looked into.
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
      // The text of an error is for the log.
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
/** Something is "de", or is not. */
const asksForLanguage = ({ left, right }: Node): boolean =>
  [left, right].some((side) => isNode(side) && isLanguage(side.value));
/** `log`, or the log of something. */
const isLog = (node: unknown): boolean => nameOf(node) === "log" || (isNode(node) && nameOf(node.property) === "log");
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
const nameOf = (node: unknown): string => (isNode(node) && typeof node.name === "string" ? node.name : "");
