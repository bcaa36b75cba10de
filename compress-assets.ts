// Writes .br and .gz beside every text file of the browser build, so that none is compressed while somebody waits.
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

const TEXT = /\.(?:js|css|svg|json|txt|webmanifest)$/;

/** Compresses what is below `dir`, as small as it gets. */
export async function compressAssets(dir: string): Promise<void> {
  const files = (await readdir(dir, { recursive: true })).filter((file) => TEXT.test(file));
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(path.join(dir, file));
      await writeFile(path.join(dir, `${file}.br`), await promisify(brotliCompress)(bytes));
      await writeFile(path.join(dir, `${file}.gz`), await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}
