// For pages without a bundler, served at /client.js: beside what can be imported, a client of this very site as `spawnpoint`.
import { createClient } from "./index.ts";

export * from "./index.ts";

if (typeof document !== "undefined")
  Object.assign(globalThis, { spawnpoint: createClient(new URL(import.meta.url).origin) });
