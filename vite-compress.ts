// Writes .br and .gz beside every text asset of the browser build, so that none is compressed while somebody waits.
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(?:js|css|svg|html|json|txt|webmanifest)$/;

/** The Vite plugin. */
export function compressAssets(): Plugin {
  return {
    name: "spawnpoint:compress-assets",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    async writeBundle({ dir }) {
      if (!dir) return;
      const files = await readdir(dir, { recursive: true });
      await Promise.all(
        files
          .filter((file) => TEXT.test(file))
          .map(async (file) => {
            const bytes = await readFile(path.join(dir, file));
            await writeFile(path.join(dir, `${file}.br`), await promisify(brotliCompress)(bytes));
            await writeFile(path.join(dir, `${file}.gz`), await promisify(gzip)(bytes, { level: 9 }));
          }),
      );
    },
  };
}
