import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // The whole route map goes out with the page: it is small, and no second request is needed to find a route.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
