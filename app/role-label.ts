// Labels of roles.
import type { Role } from "#domain/members/roles.ts";
import { m } from "./paraglide/messages.js";

const LABELS: Record<Role, () => string> = {
  user: m.account_role_user,
  moderator: m.account_role_moderator,
  admin: m.account_role_admin,
};

export const roleText = (role: Role): string => LABELS[role]();
