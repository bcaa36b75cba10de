// Builds the client library: one script and one file of types, as a package and as the site serves them.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "vite";

const ROOT = import.meta.dirname;
const SOURCE = path.join(ROOT, "client/src");

/** Writes client/package/dist/index.js and index.d.ts, and into `servedDir` client.js and client.d.ts. */
export async function buildClient(servedDir: string): Promise<void> {
  const types = await writeTypes();
  const packageDir = path.join(ROOT, "client/package/dist");
  await bundle("index.ts", packageDir, "index");
  await writeFile(path.join(packageDir, "index.d.ts"), types);
  await bundle("in-page.ts", servedDir, "client");
  await writeFile(path.join(servedDir, "client.d.ts"), types);
}

async function bundle(entry: string, outDir: string, fileName: string): Promise<void> {
  await mkdir(outDir, { recursive: true });
  await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: "error",
    build: {
      outDir,
      emptyOutDir: false,
      minify: true,
      target: "es2022",
      // A library keeps its white space otherwise.
      rolldownOptions: { output: { minify: true } },
      lib: { entry: path.join(SOURCE, entry), formats: ["es"], fileName: () => `${fileName}.js` },
    },
  });
}

/** The types of what the package exports in one file. A name that two files declare stops the build. */
async function writeTypes(): Promise<string> {
  const outDir = await mkdtemp(path.join(os.tmpdir(), "client-types-"));
  try {
    const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
    const run = promisify(execFile)(process.execPath, [tsc, "-p", path.join(ROOT, "client"), "--outDir", outDir]);
    await run.catch(({ stdout }) => {
      throw new Error(`The client's types are not right:\n${stdout}`);
    });
    const parts = await collect(path.join(outDir, "client/src/index.d.ts"), outDir, new Map());
    const whole = [...parts.values()].join("\n");
    const offered = await readFile(path.join(outDir, "client/src/index.d.ts"), "utf8");
    // What the files give each other is not to be had from the package.
    const text = whole.replaceAll(VALUE, (declared, name: string) =>
      new RegExp(`\\b${name}\\b`).test(offered) ? declared : "",
    );
    const names = [...text.matchAll(/^(?:export )?(?:declare )?(?:type|class|function|const) (\w+)/gm)].map(
      ([, name]) => name,
    );
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice) throw new Error(`Two files of the client declare ${twice}.`);
    return `// Types of the client of a Spawnpoint site.\n${text.replace(/^(?: {4})+/gm, (indent) => "\t".repeat(indent.length / 4))}`;
  } finally {
    await rm(outDir, { recursive: true });
  }
}

/** A function or a constant, with what is said of it. */
const VALUE =
  /(?:^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export declare (?:function|const) (\w+)[\s\S]*?;\n(?=\/\*\*|export|\n|$|\/\/)/gm;
const FROM = /^(?:import|export) [^;]*from "([.#][^"]+)\.ts";\n/gm;

/** What a file of types leans on first, then the file itself, each once and without what ties them together. `root`: where `#shared` leads. */
async function collect(file: string, root: string, found: Map<string, string>): Promise<Map<string, string>> {
  if (found.has(file)) return found;
  found.set(file, "");
  const text = await readFile(file, "utf8");
  for (const [, to = ""] of text.matchAll(FROM)) {
    const from = to.startsWith("#") ? path.resolve(root, to.slice(1)) : path.resolve(path.dirname(file), to);
    await collect(`${from}.d.ts`, root, found);
  }
  found.set(file, text.replaceAll(FROM, "").replace(/^export \{\};\n/m, ""));
  return found;
}

if (import.meta.main) await buildClient(path.join(ROOT, "build/client-library"));
