// Text for a friend: game server, address or join code, and a password that is public.
import type { PasswordAccess } from "#shared/password-access.ts";
import { m } from "../../paraglide/messages.js";

/** A game server for sharing. */
export type SharedServer = {
  server_id: number;
  name: string;
  game: string;
  address: string | null;
  join_code: string | null;
  password: string | null;
  password_access: PasswordAccess;
};

/**
 * Returns the lines without the link. Never includes a members-only password: the sender may see it, but not everyone who receives
 * the text (decision 036).
 */
export function shareText({ name, game, address, join_code, password, password_access }: SharedServer): string {
  const isJoinable = address !== null || join_code !== null;
  return [
    m.share_text({ server: name, game }),
    ...(address === null ? [] : [m.share_text_address({ address })]),
    ...(join_code === null ? [] : [m.share_text_join_code({ code: join_code })]),
    ...(isJoinable && password !== null && password_access === "public" ? [m.share_text_password({ password })] : []),
  ].join("\n");
}
