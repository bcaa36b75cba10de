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
  const files = Array.from(html.matchAll(PRELOAD), ([, file]) => file);
  const starter = STARTER.exec(html)?.[2];
  const later = starter && files.length > 0 ? importLater(starter, files) : null;
  if (!later) return html;
  return html.replace(PRELOAD, "").replace(STARTER, (_, open, _code, close) => open + later + close);
}

/** The same imports, one after another, after a frame; the files are asked for all at once. Null: it does more than import. */
function importLater(code: string, files: (string | undefined)[]): string | null {
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
