// A page is whole without its scripts, so they are fetched once it is on the screen: on a slow line its picture is there a
// second earlier. React Router has no setting for that and writes both, the list of files and the script that imports them.

const PRELOAD = /<link(?=[^>]* rel="modulepreload")[^>]* href="([^"]+)"[^>]*>/g;
const STARTER = /(<script(?=[^>]* type="module")[^>]*>)([^<]+)(<\/script>)/;

/** A tab in the background shows no frame, and is to follow its game servers all the same. */
const LONGEST_WAIT_MS = 1_000;

/**
 * A rendered page whose scripts wait for its first frame. What people wrote cannot look like these tags: it is escaped. A page
 * that does not have both, such as one of the development server, stays as it is.
 */
export function scriptsLater(html: string): string {
  const files: string[] = [];
  const rest = html.replace(PRELOAD, (_, file: string) => {
    files.push(file);
    return "";
  });
  if (files.length === 0) return html;
  // The starter is the last of the scripts: what is before its tag need not be searched.
  const from = Math.max(0, rest.lastIndexOf("<script", rest.lastIndexOf(' type="module"')));
  const found = STARTER.exec(rest.slice(from));
  if (!found) return html;
  const [whole, open, starter = "", close] = found;
  const later = importLater(starter, files);
  const at = from + found.index;
  return later === null ? html : `${rest.slice(0, at)}${open}${later}${close}${rest.slice(at + whole.length)}`;
}

/** The same imports, one after another, after a frame; the files are asked for all at once. Null: it does more than import. */
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
