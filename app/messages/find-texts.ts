// Finds the words in a component's source that people would read: they belong into the messages.
import { parseAst } from "vite";

type Node = { type: string; [key: string]: unknown };

/** Names that are the same in every language. */
const NAMES = new Set(["Discord", "Spawnpoint"]);
/** Attributes and props that hold what is read or read out. */
const READ = new Set(
  "aria-label aria-description aria-roledescription aria-valuetext alt title placeholder label words hint text".split(
    " ",
  ),
);

/** A word; the beginning of a web address is none. */
const LETTER = /^(?!https:\/\/).*\p{L}/u;
/** Where nothing says that it is read, only a phrase counts: a single word may be a key, and a media query is for browsers. */
const PHRASE = /^(?!.*\(.*(?:width|prefers)).*\p{L}{2,}[,;:]? \p{L}/u;

/** The texts in the source of a .tsx file, in its order. What stands in <code> is not language. */
export function findTexts(source: string): string[] {
  const found: string[] = [];
  visit(parseAst(source, { lang: "tsx" }) as unknown as Node, false, found);
  return found;
}

/** `read`: the value of this node is shown or read out as it is. */
function visit(node: Node, read: boolean, found: string[]): void {
  const words = wordsOf(node);
  if (words !== null && (read ? LETTER : PHRASE).test(words) && !NAMES.has(words)) found.push(words);
  for (const [key, value] of Object.entries(node)) {
    if (key === "source") continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) visitChild(node, key, child, read, found);
    }
  }
}

function visitChild(parent: Node, key: string, child: Node, read: boolean, found: string[]) {
  switch (parent.type) {
    case "JSXElement":
      if (key === "children" && nameOf((parent.openingElement as Node).name) === "code") return;
      return visit(child, key === "children", found);
    case "JSXFragment":
      return visit(child, key === "children", found);
    case "JSXAttribute": {
      const name = nameOf(parent.name);
      // Words in any other attribute are for machines; code in it is looked into.
      if (key === "value" && (READ.has(name) || child.type !== "Literal")) visit(child, READ.has(name), found);
      return;
    }
    case "JSXExpressionContainer":
    case "TemplateLiteral":
    case "ParenthesizedExpression":
      return visit(child, read, found);
    case "ConditionalExpression":
      return visit(child, read && key !== "test", found);
    case "LogicalExpression":
      return visit(child, read && (key === "right" || parent.operator !== "&&"), found);
    case "NewExpression":
      // The text of an error is for the log.
      if (nameOf(parent.callee) !== "Error") visit(child, false, found);
      return;
    case "CallExpression":
      if (!isLog((parent.callee as Node).object)) visit(child, false, found);
      return;
    default:
      return visit(child, false, found);
  }
}

function wordsOf(node: Node): string | null {
  const value =
    node.type === "JSXText" || (node.type === "Literal" && typeof node.value === "string")
      ? String(node.value)
      : node.type === "TemplateElement"
        ? (node.value as { cooked: string }).cooked
        : null;
  return value === null ? null : value.replaceAll(/\s+/g, " ").trim();
}

/** `log`, or the log of something. */
const isLog = (node: unknown): boolean => nameOf(node) === "log" || (isNode(node) && nameOf(node.property) === "log");
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
const nameOf = (node: unknown): string => (isNode(node) && typeof node.name === "string" ? node.name : "");
