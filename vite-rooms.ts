// Keeps the build out of the server's rooms: external for the server build, so that one copy of each module runs in the
// process; refused for the browser build, so that nothing of theirs can leak into a page.
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

const ROOMS = ["config", "db", "domain", "web", "jobs", "outside", "collector", "cli", "content", "demo"];
const root = import.meta.dirname;

/** The room of a server module, by its package import (#domain/games.ts) or its path; null for anything else. */
function roomOf(source: string, importer: string | undefined): { room: string; file: string } | null {
  let file: string | null = null;
  if (source === "#config") file = path.join(root, "config/config.ts");
  else if (source.startsWith("#")) file = path.join(root, source.slice(1));
  else if (source.startsWith(".") && importer && !importer.includes("node_modules"))
    file = path.resolve(path.dirname(importer), source);
  if (!file) return null;
  const [room = ""] = path.relative(root, file).split(path.sep);
  // Pictures and fonts are what pages show: the only things of content/ that are bundled.
  if (["pictures", "fonts"].some((kind) => file.startsWith(path.join(root, "content", kind, "made")))) return null;
  return ROOMS.includes(room) ? { room, file } : null;
}

const DEV_PREFIX = "\0room:";
const DEV_SHELF = Symbol.for("spawnpoint:rooms");

/** The Vite plugin; an import of a server room from browser code fails the build and names both ends. */
export function serverRooms(): Plugin {
  let building = false;
  return {
    name: "spawnpoint:server-rooms",
    enforce: "pre",
    configResolved(config) {
      building = config.command === "build";
    },
    resolveId(source, importer) {
      const found = roomOf(source, importer);
      if (!found) return null;
      if (this.environment.name === "client") {
        this.error(`Browser code reaches the server's room ${found.room}/: ${importer} imports ${source}`);
      }
      if (building) return { id: source.startsWith("#") ? source : pathToFileURL(found.file).href, external: true };
      return DEV_PREFIX + found.file;
    },
    // The development server would load the file by itself, which makes a second copy with contexts and pools of its own.
    // It runs in the web process, so the copy that runs already is fetched here and handed over by a global.
    async load(id) {
      if (!id.startsWith(DEV_PREFIX)) return null;
      const file = id.slice(DEV_PREFIX.length);
      const room = await import(pathToFileURL(file).href);
      const shelf: Map<string, object> = Reflect.get(globalThis, DEV_SHELF) ?? new Map();
      Reflect.set(globalThis, DEV_SHELF, shelf.set(file, room));
      const names = Object.keys(room).filter((name) => name !== "default");
      return [
        `const room = globalThis[Symbol.for("spawnpoint:rooms")].get(${JSON.stringify(file)});`,
        ...names.map((name) => `export const ${name} = room.${name};`),
      ].join("\n");
    },
  };
}
