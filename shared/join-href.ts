// The two forms of a game server's address: the text that players type, and the link that opens the game there.
import type { Lifecycle } from "./statuses.ts";

/** The host to show of a game server: null while nobody can join it, because it is inactive or in maintenance. */
export function joinableHost(server: { lifecycle: Lifecycle; host: string | null }) {
  return server.lifecycle === "active" ? server.host : null;
}

/** What the join link of a game server is filled from, of its row as its reader may see it. */
export function joinFacts(server: {
  lifecycle: Lifecycle;
  host: string | null;
  game_port: number | null;
  server_name: string;
  password: string | null;
}): JoinFacts {
  const { game_port: port, server_name: name, password } = server;
  return { host: joinableHost(server), port, name, password };
}

/** Returns the join code to show, by the same rule as the host: null while the game server is inactive or in maintenance. */
export function joinableCode(server: { lifecycle: Lifecycle; join_code: string | null }): string | null {
  return server.lifecycle === "active" ? server.join_code : null;
}

/** "host:port" as players type it, the host alone without a port, null without a host. IPv6 gets its brackets. */
export function formatAddress(host: string | null, port: number | null): string | null {
  if (!host) return null;
  return port === null ? host : `${bracketed(host)}:${port}`;
}

/** What a join link may begin with: schemes of browsers and game clients, none that runs script. */
export const JOIN_SCHEMES = [
  ...["steam:", "minecraft:", "https:", "mumble:", "ts3server:", "fivem:", "ddnet:", "redm:", "mtasa:", "samp:"],
  ...["vintagestoryjoin:", "ss14:", "ss14s:", "byond:", "altv:"],
];

/** What a join link can be filled with. */
export const JOIN_PLACEHOLDERS = ["host", "port", "name", "password"] as const;

/** What a join link is filled from. `password`: null where there is none, or none for who reads the link. */
export type JoinFacts = { host: string | null; port: number | null; name: string; password: string | null };

const PLACEHOLDER = new RegExp(`\\{(${JOIN_PLACEHOLDERS.join("|")})\\}`, "g");

/** {password} with what introduces it: a slash, an argument of the game (%20+password%20), a field of a query. */
const PASSWORD = /(\/|%20[+-]{1,2}\w+(?:%20|=)|[?&]\w+=)?\{password\}/g;

/** Whether a template has braces that are none of the placeholders: they would reach the game as they stand. */
export const hasUnknownPlaceholder = (template: string): boolean => /[{}]/.test(template.replace(PLACEHOLDER, ""));

/**
 * Fills a game's join link; {password} goes with what introduces it where there is none. Null when the game has no link,
 * when it needs what the record does not say, or when it is no address of a browser or a game client.
 */
export function joinHref(template: string | null, facts: JoinFacts): string | null {
  const { host, port, name, password } = facts;
  if (!template || !host || (port === null && template.includes("{port}"))) return null;
  if (hasUnknownPlaceholder(template)) return null;
  const values = {
    host: /^[\da-f:.]*:[\da-f:.]*$/i.test(host) ? bracketed(host) : encodeURIComponent(host),
    port: String(port),
    // Minecraft takes name and address in one, with a bar between them.
    name: encodeURIComponent(name.toWellFormed().replaceAll("|", " ")),
    password: encodeURIComponent(password?.toWellFormed() ?? ""),
  };
  const url = URL.parse(
    template.replace(PASSWORD, password ? "$&" : "").replace(PLACEHOLDER, (_, key: keyof typeof values) => values[key]),
  );
  return url && JOIN_SCHEMES.includes(url.protocol) ? url.href : null;
}

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}
