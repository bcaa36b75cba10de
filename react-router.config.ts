import path from "node:path";
import type { Config } from "@react-router/dev/config";
import { compressAssets } from "./compress-assets.ts";

export default {
  ssr: true,
  // The whole route map goes out with the page: it is small, and no second request is needed to find a route.
  routeDiscovery: { mode: "initial" },
  buildEnd: ({ reactRouterConfig }) => compressAssets(path.join(reactRouterConfig.buildDirectory, "client")),
} satisfies Config;
