/** Who may see and do what, address by address and act by act: what rights.test.ts holds the site to. */
import { readFile } from "node:fs/promises";
import { stepNow, totp } from "#tests/helpers/totp.ts";
import { type AccountSite, PASSWORD } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { MAP } from "../helpers/route-map.ts";

export const ROLES = ["nobody", "user", "moderator", "admin"] as const;
export type Who = (typeof ROLES)[number];

/** Who may: everybody, whoever is signed in, those who read the admin area, admins. "nothing": there is no such thing. */
export type May = "anybody" | "members" | "readers" | "admins" | "nothing";
export const WHO: Record<Exclude<May, "nothing">, readonly Who[]> = {
  anybody: ROLES,
  members: ["user", "moderator", "admin"],
  readers: ["moderator", "admin"],
  admins: ["admin"],
};

/**
 * Every address without its language: who may see it, and who may post to it. Left out are public pages that take no posts, and
 * what is for admins alone: whatever stands in the admin area and is not named here must be.
 */
export const DECLARED: Record<string, { see: May; post: May }> = {
  "/login": { see: "anybody", post: "anybody" },
  "/logout": { see: "anybody", post: "anybody" },
  "/verify-email": { see: "anybody", post: "anybody" },
  "/forgot-password": { see: "anybody", post: "anybody" },
  "/reset-password": { see: "anybody", post: "anybody" },
  "/two-factor": { see: "anybody", post: "anybody" },
  "/sign-in-code": { see: "anybody", post: "anybody" },
  "/confirm-email-change": { see: "anybody", post: "anybody" },
  "/keep-account": { see: "anybody", post: "anybody" },
  "/setup/:token": { see: "anybody", post: "anybody" },
  "/contact": { see: "anybody", post: "anybody" },
  "/following": { see: "anybody", post: "members" },
  "/following/mail": { see: "members", post: "members" },
  "/following/end": { see: "anybody", post: "anybody" },
  "/*": { see: "anybody", post: "nothing" },

  "/user/reauthenticate": { see: "members", post: "members" },
  "/user/check-passkeys": { see: "members", post: "members" },
  "/user/settings": { see: "members", post: "nothing" },
  "/user/settings/profile": { see: "members", post: "members" },
  "/user/settings/avatar": { see: "members", post: "members" },
  "/user/settings/account": { see: "members", post: "members" },
  "/user/settings/security": { see: "members", post: "members" },
  "/user/settings/appearance": { see: "members", post: "members" },
  "/user/settings/notifications": { see: "members", post: "members" },
  "/user/settings/data": { see: "members", post: "members" },
  "/user/settings/data/export": { see: "members", post: "members" },

  "/admin": { see: "readers", post: "nothing" },
  "/admin/*": { see: "readers", post: "readers" },
  "/admin/dashboard": { see: "readers", post: "nothing" },
  "/admin/games": { see: "readers", post: "nothing" },
  "/admin/gameservers": { see: "readers", post: "nothing" },
  "/admin/news": { see: "readers", post: "nothing" },
  "/admin/media": { see: "readers", post: "admins" },
  "/admin/messages": { see: "readers", post: "nothing" },
  "/admin/messages/:contactId": { see: "readers", post: "readers" },
};

for (const { address, file } of MAP) {
  const takesPosts = /^export .*\baction\b/m.test(await sourceOf(file));
  if (file.startsWith("routes/public/") && !takesPosts) DECLARED[address] ??= { see: "anybody", post: "nothing" };
  if (file.startsWith("routes/admin/"))
    DECLARED[address] ??= { see: "admins", post: takesPosts ? "admins" : "nothing" };
}

/** Their posts sign out. */
export const ENDS_SESSION: ReadonlySet<string> = new Set(["/logout"]);

/** What the file of an address says, for what can be read out of it. */
export function sourceOf(file: string): Promise<string> {
  return readFile(new URL(`../../app/${file}`, import.meta.url), "utf8");
}

async function withPasskey({ site, userId }: Cast) {
  const [made] = await site.sql<{ passkey_id: string }[]>`
    insert into passkeys (user_id, name, public_key, credential_id, counter, device_type, backed_up)
    values (${userId}, 'Laptop', 'key', ${userId}, 0, 'singleDevice', false) returning passkey_id`;
  return { passkey_id: made?.passkey_id ?? "" };
}
const withLinked =
  (provider: string) =>
  async ({ site, userId }: Cast) => {
    const [made] = await site.sql<{ account_id: string }[]>`
    insert into accounts (user_id, provider, provider_account_id) values (${userId}, ${provider}, ${userId}) returning account_id`;
    return { account_id: made?.account_id ?? "" };
  };
async function withSecondFactor(site: AccountSite, userId: string): Promise<Record<string, string>> {
  await site.sql`insert into two_factors (user_id, secret, recovery_codes, verified) values (${userId}, 'sealed', '[]', true)`;
  await site.sql`update users set two_factor_enabled = true where user_id = ${userId}`;
  return {};
}
/** Set up as far as to its first code. */
async function beginSecondFactor({ at }: Cast) {
  const { text } = await at.post("/user/settings/security", { intent: "totp-start" });
  return { code: totp(/secret=([A-Z2-7]+)/.exec(text)?.[1] ?? "", stepNow()) };
}

/** Who and what an act is done with: somebody signed in (an admin where the act is one), and somebody else. */
type Cast = { site: AccountSite; at: Browser; userId: string; other: { id: string; email: string } };
type Act = { fields?: (cast: Cast) => Record<string, string> | Promise<Record<string, string>>; get?: true };

/**
 * EVERY ACT of members and admins, by address and intent: `proved` are those for which one shows once more who one is
 * (decision 025), `open` all others. What is in neither list fails.
 */
export const PROVED: Record<string, Act> = {
  "/user/settings/account email": { fields: ({ userId }) => ({ email: `moved-${userId}@example.org` }) },
  "/user/settings/account password": { fields: () => ({ current: PASSWORD, next: "another lamp at the pier" }) },
  "/user/settings/security totp-start": {},
  "/user/settings/security totp-confirm": { fields: beginSecondFactor },
  "/user/settings/security totp-codes": { fields: ({ site, userId }) => withSecondFactor(site, userId) },
  "/user/settings/security totp-off": { fields: ({ site, userId }) => withSecondFactor(site, userId) },
  "/user/settings/security passkey-remove": { fields: withPasskey },
  "/user/settings/security discord-unlink": { fields: withLinked("discord") },
  "/user/settings/security oidc-unlink": { fields: withLinked("oidc") },
  "/user/check-passkeys remove": { fields: withPasskey },
  "/user/settings/data": { fields: () => ({ confirm: "DELETE" }) },
  "/user/settings/data/export": {},
  "/admin/gameservers/:serverId/heartbeat renew": {},
  "/admin/people/:userId role": { fields: () => ({ role: "moderator" }) },
  "/admin/people/:userId/second-factor": {
    fields: async ({ site, other }) => ({ ...(await withSecondFactor(site, other.id)), confirm: other.email }),
  },
  "/admin/people/:userId/delete": { fields: ({ other }) => ({ confirm: other.email }) },
  "/admin/settings/invitations": { fields: () => ({ note: "Ada", uses: "1", days: "2" }) },
  "/admin/settings/keys": { fields: () => ({ note: "script", days: "2", scope: "admin:read" }) },
  "/admin/settings/outposts": { fields: () => ({ name: "Frankfurt" }) },
  "/admin/notifications/channels/add/:kind": {
    fields: () => ({ name: "Bot", url: "https://9.9.9.9/" }),
  },
  "/admin/notifications/channels/:targetId renew": {},
  "/admin/audit.csv": { get: true },
};
export const OPEN = [
  ...["/user/reauthenticate", "/user/reauthenticate mail", "/user/check-passkeys"],
  ...[
    "/user/settings/profile save",
    "/user/settings/profile upload-avatar",
    "/user/settings/profile remove-avatar",
    "/user/settings/profile hide-names",
  ],
  ...["/user/settings/avatar", "/user/settings/appearance", "/user/settings/account email-cancel"],
  ...["/user/settings/security session-end", "/user/settings/security sessions-end-others"],
  "/user/settings/security passkey-rename",
  ...["/user/settings/notifications save", "/user/settings/notifications end-device"],
  ...["/following end", "/following end-all", "/following again", "/following/mail follow", "/following/mail end"],
  ...["/admin/*", "/admin/games/create", "/admin/games/order", "/admin/games/:gameId/edit"],
  ...["/admin/games/:gameId/guide", "/admin/games/:gameId/picture", "/admin/games/:gameId/delete"],
  "/admin/games/:gameId/picture choose",
  ...["/admin/gameservers/create", "/admin/gameservers/order/:gameId", "/admin/gameservers/doctor"],
  "/admin/gameservers/paste",
  ...["/admin/gameservers/:serverId/ask-now", "/admin/gameservers/:serverId/edit"],
  ...["/admin/gameservers/:serverId/delete", "/admin/gameservers/:serverId/heartbeat remove"],
  ...["/admin/news/create", "/admin/news/:newsId/edit", "/admin/news/:newsId/delete"],
  ...["create", ":planId", ":planId end"].map((act) => `/admin/status/plans/${act}`),
  ...["create", ":incidentId", ":incidentId update", ":incidentId close"].map(
    (act) => `/admin/status/incidents/${act}`,
  ),
  "/admin/media",
  ...["read", "archive", "restore", "extend", "answer"].map((intent) => `/admin/messages/:contactId ${intent}`),
  ...["/admin/messages/:contactId/delete", "/admin/people/blocked"],
  // Keeping somebody out is urgent, takes no account, and can be taken back.
  ...["/admin/people/:userId ban", "/admin/people/:userId unban", "/admin/people/:userId sessions"],
  ...["/admin/people/blocked lift", "/admin/setup", "/admin/settings", "/admin/settings/pictures"],
  ...["/admin/settings/invitations remove", "/admin/settings/keys remove"],
  ...["/admin/notifications", "/admin/notifications/channels/:targetId/remove"],
  ...["test", "revive"].map((intent) => `/admin/notifications/channels/:targetId ${intent}`),
  // What goes there everybody may see.
  ...["connect", "card", "card-end", "card-again", "test", "disconnect", "register"].map(
    (act) => `/admin/notifications/discord ${act}`,
  ),
  ...["/admin/notifications/rules", "/admin/notifications/rules switch", "/admin/notifications/rules remove"],
  // What may have been stolen is revoked at once.
  "/admin/settings/outposts/:outpostId/revoke",
];

/**
 * The public API's writing operations: none of them gives a role, a key or somebody's data. A heartbeat token is made with a fresh
 * session or a key.
 */
export const OPEN_OPERATIONS = [
  "signIn",
  "refreshSession",
  "signOut",
  "sendHeartbeat",
  "createGame",
  "updateGame",
  "deleteGame",
  "createServer",
  "updateServer",
  "deleteServer",
  "sendContact",
  "signUp",
  "updateProfile",
  "updateAvatar",
  "removeAvatar",
  "listFiles",
  "uploadFile",
  "removeFiles",
  "updateGuide",
  "updatePicture",
  "removePicture",
  "updateGameOrder",
  "updateServerOrder",
  "renewHeartbeatToken",
  "removeHeartbeatToken",
  "deleteMedia",
];
