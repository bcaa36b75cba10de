/** A page as React Router itself writes it: what render-at-once.ts and scripts-later.ts rely on is still so (decision 027). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement, lazy, Suspense } from "react";
import {
  createRequestHandler,
  type EntryContext,
  Outlet,
  Scripts,
  type ServerBuild,
  ServerRouter,
  useLoaderData,
} from "react-router";
import { readHandoff, renderAtOnce } from "./render-at-once.ts";
import { scriptsLater } from "./scripts-later.ts";

const URL_OF_PAGE = "http://localhost/";

/** What React Router hands to the entry for a page of one route with a loader, whose files are those named here. */
async function askRouter(): Promise<EntryContext> {
  let given: EntryContext | undefined;
  const route = (id: string, file: string) => ({ id, module: file, hasLoader: id === "page" });
  const none = { hasAction: false, hasErrorBoundary: false, hasClientAction: false, hasClientLoader: false };
  const only = { hasClientMiddleware: false, hasDefaultExport: true, clientActionModule: undefined };
  const more = { ...none, ...only, clientLoaderModule: undefined, clientMiddlewareModule: undefined };
  const build: ServerBuild = {
    entry: {
      module: {
        default: (_request, _status, _headers, context) => {
          given = context;
          return new Response();
        },
      },
    },
    routes: {
      root: { id: "root", path: "", module: { default: Root } },
      page: { id: "page", parentId: "root", index: true, module: { default: Page, loader: () => "from the loader" } },
    },
    assets: {
      version: "1",
      url: "/assets/manifest.js",
      entry: { module: "/assets/entry.js", imports: ["/assets/framework.js"] },
      routes: {
        root: { ...more, ...route("root", "/assets/root.js"), hydrateFallbackModule: undefined },
        page: {
          ...more,
          ...route("page", "/assets/page.js"),
          parentId: "root",
          index: true,
          hydrateFallbackModule: undefined,
        },
      },
    },
    publicPath: "/",
    assetsBuildDirectory: "build/client",
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: "initial", manifestPath: "/__manifest" },
  } as ServerBuild;
  await createRequestHandler(build, "production")(new Request(URL_OF_PAGE));
  assert.ok(given, "React Router asked the entry for a page");
  return given;
}

function Root() {
  return createElement("html", null, createElement("body", null, createElement(Outlet), createElement(Scripts)));
}
function Page() {
  return createElement("p", null, useLoaderData<string>());
}
const treeOf = (context: EntryContext) => createElement(ServerRouter, { context, url: URL_OF_PAGE, nonce: "n" });

test("with the loaders' data read beforehand, a page is written in one go, with that data for the browser", async () => {
  const html = renderAtOnce(treeOf(await readHandoff(await askRouter())));
  assert.ok(html, "React Router waits for its stream again: it finds the pieces nowhere in its cache");
  assert.match(html, /<p>from the loader<\/p>/);
  assert.match(html, /streamController\.enqueue\([^<]*from the loader/);
  assert.match(html, /streamController\.close\(\)/);
});

test("what has to be waited for, or fails under a boundary, is not taken for a whole page", async () => {
  assert.equal(renderAtOnce(treeOf(await askRouter())), null, "the data is still a stream");
  const Late = lazy(() => new Promise<{ default: () => null }>(() => {}));
  assert.equal(renderAtOnce(createElement(Suspense, null, createElement(Late))), null);
});

test("the scripts that React Router writes wait for the first frame", async () => {
  const html = renderAtOnce(treeOf(await readHandoff(await askRouter()))) ?? "";
  assert.match(html, /rel="modulepreload"/);
  const later = scriptsLater(html);
  assert.doesNotMatch(later, /<link[^>]*modulepreload/);
  assert.match(
    later,
    /requestAnimationFrame[\s\S]*await import\("\/assets\/page\.js"\)[\s\S]*import\("\/assets\/entry\.js"\)/,
  );
});
