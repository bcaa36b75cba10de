/** Maps an error of the operating system to a query failure. */
import type { QueryFailure } from "#shared/statuses.ts";

/**
 * Errors not known to come from the game server's side count as ours (no route, no sockets, no memory, a closed
 * firewall): an unknown status is better than a game server shown offline by our fault.
 *
 * `beforeLeaving`: nothing had left this machine yet. Only then does "no route to host" concern our side: later a
 * distant router reports that the game server's machine is gone.
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
