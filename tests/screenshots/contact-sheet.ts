/** Writes `index.html`: every picture of the folder, small, beside its brothers of other widths and the other theme. */
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";

const STYLE = `
body { margin: 2rem; background: #171412; color: #f4f1ec; font: 15px/1.5 system-ui, sans-serif }
h2 { margin: 3rem 0 0.5rem; font-size: 1rem; font-weight: 600 }
div { display: flex; gap: 1rem; align-items: start; overflow-x: auto }
a { flex: none; color: inherit; font-size: 0.8rem }
img { display: block; width: auto; max-height: 560px; margin-top: 0.25rem; border: 1px solid #3a332d }
nav { columns: 5 12rem }`;

/** @returns how many pictures there are. */
export async function writeContactSheet(folder: string): Promise<number> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".jpg")).sort();
  const scenes = Map.groupBy(files, (file) => file.slice(0, file.lastIndexOf("--")));
  const parts = [...scenes].map(
    ([scene, ofScene]) =>
      `<h2 id="${scene}">${scene.replace("--", ": ")}</h2>\n<div>${ofScene.map(thumbnail).join("")}</div>`,
  );
  const links = [...scenes.keys()].map((scene) => `<a href="#${scene}">${scene.replace("--", ": ")}</a><br>`);
  const html = `<!doctype html><meta charset="utf-8"><title>Screenshots</title><style>${STYLE}</style>
<h1>${files.length} screenshots</h1>\n<nav>${links.join("\n")}</nav>\n${parts.join("\n")}\n`;
  await writeFile(path.join(folder, "index.html"), html);
  return files.length;
}

function thumbnail(file: string): string {
  const label = file.slice(file.lastIndexOf("--") + 2, -".jpg".length).replace("-", " px, ");
  return `<a href="${file}">${label}<img src="${file}" alt="" loading="lazy"></a>`;
}
