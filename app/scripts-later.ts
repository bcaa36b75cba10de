// Loads a page's scripts after its first frame, since it works without them: on a slow line its picture appears a second earlier.
// React Router has no setting for that; it writes the list of files and the script that imports them.

const PRELOAD = /<link(?=[^>]* rel="modulepreload")[^>]* href="([^"]+)"[^>]*>/g;
const STARTER = /(<script(?=[^>]* type="module")[^>]*>)([^<]+)(<\/script>)/;

/** A background tab paints no frame, but must still follow its game servers. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Makes a rendered page's scripts wait for its first frame. User text can't look like these tags: it is escaped. A page without
 * both, such as one of the development server, stays unchanged.
 */
export function scriptsLater(html: string): string {
  const files: string[] = [];
  const rest = html.replace(PRELOAD, (_, file: string) => {
    files.push(file);
    return "";
  });
  if (files.length === 0) return html;
  // The starter is the last script: nothing before its tag has to be searched.
  const from = Math.max(0, rest.lastIndexOf("<script", rest.lastIndexOf(' type="module"')));
  const found = STARTER.exec(rest.slice(from));
  if (!found) return html;
  const [whole, open, starter = "", close] = found;
  const later = importLater(starter, files);
  const at = from + found.index;
  return later === null ? html : `${rest.slice(0, at)}${open}${later}${close}${rest.slice(at + whole.length)}`;
}

/** Builds the same imports, in order, after a frame; fetches all files at once. Null if the script does more than import. */
function importLater(code: string, files: string[]): string | null {
  const imports = code
    .replace(/^import "([^"]+)";$/gm, 'await import("$1");')
    .replace(/^import \* as (\w+) from "([^"]+)";$/gm, 'const $1 = await import("$2");');
  if (/^\s*import /m.test(imports)) return null;
  return `await new Promise((shown) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(shown)));
  setTimeout(shown, ${LONGEST_WAIT_MS});
});
for (const file of ${JSON.stringify(files)}) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: file }));
${imports}`;
}
