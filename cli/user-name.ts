/** The user that this process runs as, for texts that tell an operator whose rights are missing. */
import { userInfo } from "node:os";

/** Its name, or its number where it has none, as in a container. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}
