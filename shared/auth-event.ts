/** Names the events of the sign-in, in the terms of the usual client libraries. */
export type AuthEvent =
  | "INITIAL_SESSION"
  | "SIGNED_IN"
  | "SIGNED_OUT"
  | "TOKEN_REFRESHED"
  | "USER_UPDATED"
  | "PASSWORD_RECOVERY"
  | "MFA_CHALLENGE_VERIFIED";

/** The BroadcastChannel on which the site's own pages send them to each other. */
export const AUTH_CHANNEL = "spawnpoint-auth";
