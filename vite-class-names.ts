// Says the names of CSS modules as plain texts in scripts: a browser then loads no table of names for each stylesheet, and the
// stylesheets of several parts can be one file without their tables coming along.
import { createHash } from "node:crypto";
import path from "node:path";
import type { Plugin } from "vite";

const MODULE = /\.module\.css$/;

/** The name of a class: the same on the server and in browsers, for it follows from its own name and its file alone. */
export function className(name: string, file: string): string {
  const [asked = ""] = path.relative(import.meta.dirname, file).split("?");
  const sum = createHash("sha256").update(asked.replaceAll("\\", "/")).digest("base64url");
  return `${name}_${sum.replaceAll(/[-_]/g, "").slice(0, 4)}`;
}

/** For builds alone: in development a changed stylesheet is told to the scripts that use it. */
export function classNames(): Plugin {
  return {
    name: "spawnpoint:class-names",
    apply: "build",
    enforce: "post",
    transform: {
      filter: { id: /(?:\.module\.css|\.tsx?)$/ },
      handler(code, id) {
        // Nobody asks it for a name any more, and its rules are wanted all the same.
        if (MODULE.test(id)) return { code: "", map: null, moduleSideEffects: "no-treeshake" };
        if (!code.includes(".module.css")) return null;
        return { code: sayNames(code, this.parse(code), id), map: null };
      },
    },
  };
}

type Node = { type: string; start: number; end: number; [key: string]: unknown };

/**
 * The script with each `css.name` written out.
 * @throws where a sheet is used in another way, as by `css[name]`: there is no table to look it up in.
 */
function sayNames(code: string, program: unknown, id: string): string {
  const sheets = new Map<string, string>();
  const changes: [start: number, end: number, text: string][] = [];
  for (const node of (program as { body: Node[] }).body) {
    const source = (node.source as { value?: unknown } | null | undefined)?.value;
    if (node.type !== "ImportDeclaration" || typeof source !== "string" || !MODULE.test(source)) continue;
    for (const { local } of node.specifiers as { local: { name: string } }[])
      sheets.set(local.name, path.resolve(path.dirname(id), source));
    changes.push([node.start, node.end, `import ${JSON.stringify(source)};`]);
  }
  const walk = (node: Node): void => {
    if (node.type === "ImportDeclaration") return;
    if (node.type === "Identifier" && sheets.has(node.name as string))
      throw new Error(`${id}: a class is asked for in another way than \`${node.name}.name\``);
    if (node.type === "MemberExpression" && node.computed === false) {
      const object = node.object as Node;
      const file = object.type === "Identifier" ? sheets.get(object.name as string) : undefined;
      if (file !== undefined) {
        const { name } = node.property as unknown as { name: string };
        changes.push([node.start, node.end, JSON.stringify(className(name, file))]);
      } else walk(object);
      return;
    }
    for (const [key, value] of Object.entries(node)) {
      // What a property is called is no use of a name.
      if (key === "key" && node.computed === false && node.shorthand !== true) continue;
      for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) walk(one);
    }
  };
  walk(program as Node);
  let said = code;
  for (const [start, end, text] of changes.sort(([a], [b]) => b - a))
    said = said.slice(0, start) + text + said.slice(end);
  return said;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";
