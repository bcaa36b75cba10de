// Lists who may read the password of a game server: the values of its column, in the order of the form.

/**
 * `none`: it has no password. `public`: everyone who sees the game server. `members`: signed-in members. `ask`: not
 * shown on the site; players get it from the people who run the server.
 */
export const PASSWORD_ACCESS = ["none", "public", "members", "ask"] as const;
export type PasswordAccess = (typeof PASSWORD_ACCESS)[number];
