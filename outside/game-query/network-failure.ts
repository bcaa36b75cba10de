/** Gives an error of the operating system its name among the query failures. */
import type { QueryFailure } from "#shared/statuses.ts";

/**
 * What is not known to come from the game server's side is ours (no route, no sockets, no memory, a closed firewall):
 * better an unknown state than a game server called offline for our own fault.
 *
 * `beforeLeaving` says that nothing had left this machine yet. Only then does "no route to host" speak of our side:
 * later it is a distant router telling that the game server's machine is gone.
 */
export function failureOfError(error: unknown, beforeLeaving: boolean): QueryFailure {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ECONNREFUSED":
    case "ECONNRESET":
    case "EPIPE":
      return "refused";
    case "ETIMEDOUT":
      return "no_reply";
    case "EHOSTUNREACH":
    case "EHOSTDOWN":
      return beforeLeaving ? "network" : "no_reply";
    default:
      return "network";
  }
}
