// Permissions by role: the only place that defines them.
import type { Role } from "./members/roles.ts";

const PERMISSIONS = {
  /** Any logged-in user: the session is enough for their own data (web/guards.ts); no permission is needed. */
  user: [],
  /** Reads the admin area and answers messages. */
  moderator: ["admin:read", "messages:answer"],
  /** Everything else. */
  admin: [
    "games:write",
    "gameservers:write",
    "news:write",
    "settings:write",
    "members:write",
    "messages:remove",
    "audit:read",
  ],
} as const;

export type Permission = (typeof PERMISSIONS)[Role][number];

const INHERITED: Record<Role, readonly Permission[]> = {
  user: PERMISSIONS.user,
  moderator: [...PERMISSIONS.user, ...PERMISSIONS.moderator],
  admin: [...PERMISSIONS.user, ...PERMISSIONS.moderator, ...PERMISSIONS.admin],
};

/** True if the role has the permission; null is a visitor without a login, who has none. */
export function may(role: Role | null, permission: Permission): boolean {
  return role !== null && INHERITED[role].includes(permission);
}
