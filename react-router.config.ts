import path from "node:path";
import type { Config } from "@react-router/dev/config";
import { buildClient } from "./build-client.ts";
import { compressAssets } from "./compress-assets.ts";

export default {
  ssr: true,
  // The whole route map goes out with the page: it is small, and no second request is needed to find a route.
  routeDiscovery: { mode: "initial" },
  async buildEnd({ reactRouterConfig: { buildDirectory } }) {
    await compressAssets(path.join(buildDirectory, "client"));
    await buildClient(path.join(buildDirectory, "client-library"));
  },
} satisfies Config;
