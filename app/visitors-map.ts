// The addresses that visitors' browsers know: what only members can open is two thirds of the whole map.

/** The routes that are none of a visitor's. An address of theirs is loaded as a document (routes/public/not-found.tsx). */
const FOR_MEMBERS = /^routes\/(?:account|admin)\//;

/** Where the map for visitors is, by the address of the whole one; the development server's own stays as it is. */
export const visitorsMap = (url: string): string => url.replace(/\/manifest-(?=\w+\.js$)/, "/manifest-of-visitors-");

/** Keeps of a map, as it is written for browsers, what is for visitors. */
export function mapForVisitors(script: string): string {
  const [, open = "", json, close = ""] = /^(window\.__reactRouterManifest=)(\{.*\})(;?)\s*$/s.exec(script) ?? [];
  if (json === undefined) throw new Error("React Router writes its map of addresses in another way than it did");
  const map = JSON.parse(json) as { url: string; routes: Record<string, { imports?: string[] }> };
  const routes = Object.fromEntries(Object.entries(map.routes).filter(([id]) => !FOR_MEMBERS.test(id)));
  sortImports(Object.values(routes));
  return `${open}${JSON.stringify({ ...map, url: visitorsMap(map.url), routes })}${close}`;
}

/** The files that most pages need come first: lists that begin alike take less room once they are compressed. */
function sortImports(routes: { imports?: string[] }[]): void {
  const uses = new Map<string, number>();
  for (const file of routes.flatMap(({ imports = [] }) => imports)) uses.set(file, (uses.get(file) ?? 0) + 1);
  const usesOf = (file: string) => uses.get(file) ?? 0;
  for (const { imports } of routes) imports?.sort((a, b) => usesOf(b) - usesOf(a) || (a < b ? -1 : 1));
}
