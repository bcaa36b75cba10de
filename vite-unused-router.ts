// Leaves out of the browser's script what React Router brings and this site does not use (decision 051): being watched by
// instruments, and looking for addresses that a page was not told of.
import type { Plugin } from "vite";

/**
 * What stands in for each file: as its functions answer when nothing of theirs is set. What is undefined is named by the router's
 * parts for servers, which browsers do not get.
 */
const STAND_INS: Record<string, string> = {
  "router/instrumentation.js": `
export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
export const getRouteInstrumentationUpdates = () => ({});
export const instrumentClientSideRouter = (router) => router;
export const instrumentHandler = undefined, instrumentationResultMetaContext = undefined;`,
  // React Router's own answers where `routeDiscovery.mode` is "initial", as in react-router.config.ts.
  "dom/ssr/fog-of-war.js": `
export const isFogOfWarEnabled = () => false;
export const getPartialManifest = (manifest) => manifest;
export const getPatchRoutesOnNavigationFunction = () => undefined;
export const useFogOFWarDiscovery = () => {};
export const getManifestPath = undefined, getPathsWithAncestors = undefined, handleClientVersionMismatch = undefined;`,
};

/** A name that one day is asked of a file and is not here fails the build. */
export function unusedRouter(): Plugin {
  return {
    name: "spawnpoint:unused-router",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    load: {
      filter: {
        id: /react-router[\\/]dist[\\/]production[\\/]lib[\\/](?:router[\\/]instrumentation|dom[\\/]ssr[\\/]fog-of-war)\.js$/,
      },
      handler(id) {
        const file = /lib[\\/](.*)$/.exec(id)?.[1]?.replaceAll("\\", "/") ?? "";
        return { code: STAND_INS[file] ?? "", map: null };
      },
    },
  };
}
