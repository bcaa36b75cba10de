/** Names the user of this process, for texts about missing permissions. */
import { userInfo } from "node:os";

/** Returns the name, or the number if there is none, as in a container. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
