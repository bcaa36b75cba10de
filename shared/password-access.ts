// Who may read the password of a game server: the values of its column, in the order in which a form offers them.

/**
 * `none`: it has no password. `public`: everybody who sees the game server. `members`: whoever is signed in.
 * `ask`: nobody on the site; who wants to play asks the people who run it.
 */
export const PASSWORD_ACCESS = ["none", "public", "members", "ask"] as const;
export type PasswordAccess = (typeof PASSWORD_ACCESS)[number];
