import path from "node:path";
import type { Config } from "@react-router/dev/config";
import { buildClient } from "./build-client.ts";
import { compressAssets } from "./compress-assets.ts";

export default {
  ssr: true,
  // All addresses that a page leads to go out with it: no second request is needed to find one.
  routeDiscovery: { mode: "initial" },
  async buildEnd({ reactRouterConfig: { buildDirectory } }) {
    await compressAssets(path.join(buildDirectory, "client"));
    await buildClient(path.join(buildDirectory, "client-library"));
  },
} satisfies Config;
