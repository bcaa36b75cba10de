import path from "node:path";
import type { Config } from "@react-router/dev/config";
import { buildClient } from "./build-client.ts";
import { writeVisitorsMap } from "./build-visitors-map.ts";
import { compressAssets } from "./compress-assets.ts";

export default {
  ssr: true,
  // All addresses that a page leads to go out with it: no second request is needed to find one. Visitors get theirs (051).
  routeDiscovery: { mode: "initial" },
  async buildEnd({ reactRouterConfig: { buildDirectory } }) {
    await writeVisitorsMap(path.join(buildDirectory, "client/assets"));
    await compressAssets(path.join(buildDirectory, "client"));
    await buildClient(path.join(buildDirectory, "client-library"));
  },
} satisfies Config;
