// The addresses that visitors' browsers know: what only members can open is two thirds of the whole map.

/** The routes that are none of a visitor's. An address of theirs is loaded as a document (routes/public/not-found.tsx). */
const FOR_MEMBERS = /^routes\/(?:account|admin)\//;

/** Where the map for visitors is, by the address of the whole one; the development server's own stays as it is. */
export const visitorsMap = (url: string): string => url.replace(/\/manifest-(?=\w+\.js$)/, "/manifest-of-visitors-");

/** Keeps of a map, as it is written for browsers, what is for visitors. */
export function mapForVisitors(script: string): string {
  const [, open = "", json, close = ""] = /^(window\.__reactRouterManifest=)(\{.*\})(;?)\s*$/s.exec(script) ?? [];
  if (json === undefined) throw new Error("React Router writes its map of addresses in another way than it did");
  const map = JSON.parse(json) as { url: string; routes: Record<string, unknown> };
  const routes = Object.fromEntries(Object.entries(map.routes).filter(([id]) => !FOR_MEMBERS.test(id)));
  return `${open}${JSON.stringify({ ...map, url: visitorsMap(map.url), routes })}${close}`;
}
