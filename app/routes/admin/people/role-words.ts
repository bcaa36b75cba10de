// Roles in words.
import type { Role } from "#domain/members/roles.ts";
import { m } from "../../../paraglide/messages.js";

const WORDS: Record<Role, () => string> = {
  user: m.admin_role_user,
  moderator: m.admin_role_moderator,
  admin: m.admin_role_admin,
};

export const roleWords = (role: Role): string => WORDS[role]();
