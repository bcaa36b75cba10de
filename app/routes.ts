// THE MAP: every address and the file that answers it. Folders say who may enter. Each stands for itself in English and for
// its twin under /de in German.
import { index, layout, prefix, type RouteConfig, route } from "@react-router/dev/routes";

export default prefix("de?", [
  layout("routes/public/layout.tsx", [
    index("routes/public/home.tsx"),
    route("games/:slug", "routes/public/game-page.tsx"),
    route("servers/:serverId", "routes/public/server-page.tsx"),
    route("dashboard", "routes/public/dashboard.tsx"),
    route("login", "routes/public/login.tsx"),
    route("logout", "routes/public/logout.tsx"),
    route("verify-email", "routes/public/verify-email.tsx"),
    route("forgot-password", "routes/public/forgot-password.tsx"),
    route("reset-password", "routes/public/reset-password.tsx"),
    route("two-factor", "routes/public/two-factor.tsx"),
    route("sign-in-code", "routes/public/sign-in-code.tsx"),
    route("confirm-email-change", "routes/public/confirm-email-change.tsx"),
    route("setup/:token", "routes/public/setup.tsx"),
    route("keep-account", "routes/public/keep-account.tsx"),
    layout("routes/account/layout.tsx", [
      route("user/reauthenticate", "routes/account/reauthenticate.tsx"),
      layout("routes/account/settings-layout.tsx", [
        route("user/settings/profile", "routes/account/profile.tsx"),
        route("user/settings/account", "routes/account/account.tsx"),
        route("user/settings/security", "routes/account/security.tsx"),
        route("user/settings/appearance", "routes/account/appearance.tsx"),
        route("user/settings/data", "routes/account/data.tsx"),
      ]),
      route("user/settings", "routes/account/settings-home.ts"),
      route("user/settings/avatar", "routes/account/avatar.ts"),
      route("user/settings/data/export", "routes/account/export.ts"),
    ]),
    layout("routes/admin/layout.tsx", [
      route("admin", "routes/admin/to-dashboard.ts"),
      route("admin/games", "routes/admin/games.tsx"),
      route("admin/gameservers/doctor", "routes/admin/doctor.tsx"),
      route("admin/gameservers/:serverId/ask-now", "routes/admin/ask-now.tsx"),
      route("admin/*", "routes/admin/not-found.tsx"),
    ]),
    route("contact", "routes/public/contact.tsx"),
    route("impressum", "routes/public/impressum.tsx"),
    route("privacy-policy", "routes/public/privacy-policy.tsx"),
    route("terms-of-service", "routes/public/terms-of-service.tsx"),
    route("game/aion", "routes/public/moved.ts", { id: "moved-aion" }),
    route("games/skyrimtogether", "routes/public/moved.ts", { id: "moved-skyrim" }),
    route("*", "routes/public/not-found.tsx"),
  ]),
]) satisfies RouteConfig;
