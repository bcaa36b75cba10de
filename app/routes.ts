// THE MAP: every address and the file that answers it. Folders say who may enter.
import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  layout("routes/public/layout.tsx", [
    index("routes/public/home.tsx"),
    route("games/:slug", "routes/public/game-page.tsx"),
    route("servers/:serverId", "routes/public/server-page.tsx"),
    route("dashboard", "routes/public/dashboard.tsx"),
    route("login", "routes/public/login.tsx"),
    route("logout", "routes/public/logout.tsx"),
    route("verify-email", "routes/public/verify-email.tsx"),
    layout("routes/account/layout.tsx", [route("user/reauthenticate", "routes/account/reauthenticate.tsx")]),
    route("game/aion", "routes/public/moved.ts", { id: "moved-aion" }),
    route("games/skyrimtogether", "routes/public/moved.ts", { id: "moved-skyrim" }),
    route("*", "routes/public/not-found.tsx"),
  ]),
] satisfies RouteConfig;
