// The text to send to a friend: which game server, its address or join code, and a password that everybody may read.
import type { PasswordAccess } from "#shared/password-access.ts";
import { m } from "../../paraglide/messages.js";

/** A game server as a friend is told of it. */
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
 * The lines without the link. A password that only members read never goes along: the one who sends it may read it, and
 * whoever the text is passed on to may not (decision 036).
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
