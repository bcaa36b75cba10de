/** Gives an error of the operating system its name among the query failures. */
import type { QueryFailure } from "./answer.ts";

const ourOwnSide = new Set([
  "ENETUNREACH",
  "ENETDOWN",
  "EMFILE",
  "ENFILE",
  "ENOBUFS",
  "ENOMEM",
  "EADDRNOTAVAIL",
  "EADDRINUSE",
  "EACCES",
  "EPERM",
  "EAFNOSUPPORT",
]);

/**
 * `beforeLeaving` says that nothing had left this machine yet. Only then does "no route to host" speak of our side:
 * later it is a distant router telling that the game server's machine is gone.
 */
export function failureOfError(error: unknown, beforeLeaving: boolean): QueryFailure {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ECONNREFUSED" || code === "ECONNRESET" || code === "EPIPE") return "refused";
  if (code === "EHOSTUNREACH" || code === "EHOSTDOWN") return beforeLeaving ? "network" : "no_reply";
  if (code === "ETIMEDOUT") return "no_reply";
  if (typeof code === "string" && ourOwnSide.has(code)) return "network";
  return "network";
}
