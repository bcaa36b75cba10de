// Compiles the messages of both languages before a build, and gives them their language our way: by the address alone.
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
        if (!source.endsWith("runtime.js") || !source.startsWith(".") || !importer) return null;
        if (path.resolve(path.dirname(importer), source) !== path.join(compiled, "runtime.js")) return null;
        const side = this.environment.name === "client" ? "language-in-browser.ts" : "language-on-server.ts";
        return path.join(ours, side);
      },
    },
  ];
}
