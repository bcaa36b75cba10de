// WHO MAY DO WHAT: the one page that says it.
import type { Role } from "./members/roles.ts";

const PERMISSIONS = {
  /** Everybody who is signed in: for what is their own the session is enough (web/guards.ts), and no right is asked for. */
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

/** Whether a role may do something; null is somebody who is not signed in, who may do none of it. */
export function may(role: Role | null, permission: Permission): boolean {
  return role !== null && INHERITED[role].includes(permission);
}
