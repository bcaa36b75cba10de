// Formats a game server's address: as the text that players type, and as the link that opens the game there.
import type { Lifecycle } from "./statuses.ts";

/** Gets a game server's host to show: null while players can't join, because it is inactive or in maintenance. */
export function joinableHost(server: { lifecycle: Lifecycle; host: string | null }) {
  return server.lifecycle === "active" ? server.host : null;
}

/** Gets the values for a game server's join link from its row, as its reader may see it. */
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

/** Gets the join code to show, by the same rule as the host: null while the game server is inactive or in maintenance. */
export function joinableCode(server: { lifecycle: Lifecycle; join_code: string | null }): string | null {
  return server.lifecycle === "active" ? server.join_code : null;
}

/** Formats "host:port" as players type it, the host alone without a port, null without a host. IPv6 gets its brackets. */
export function formatAddress(host: string | null, port: number | null): string | null {
  if (!host) return null;
  return port === null ? host : `${bracketed(host)}:${port}`;
}

/** The permitted schemes of join links: those of browsers and game clients, none that runs script. */
export const JOIN_SCHEMES = [
  ...["steam:", "minecraft:", "https:", "mumble:", "ts3server:", "fivem:", "ddnet:", "redm:", "mtasa:", "samp:"],
  ...["vintagestoryjoin:", "ss14:", "ss14s:", "byond:", "altv:"],
];

/** The placeholders of a join link. */
export const JOIN_PLACEHOLDERS = ["host", "port", "name", "password"] as const;

/** The values for a join link. `password`: null if there is none, or none for this reader. */
export type JoinFacts = { host: string | null; port: number | null; name: string; password: string | null };

const PLACEHOLDER = new RegExp(`\\{(${JOIN_PLACEHOLDERS.join("|")})\\}`, "g");

/** {password} with its prefix: a slash, an argument of the game (%20+password%20), a field of a query. */
const PASSWORD = /(\/|%20[+-]{1,2}\w+(?:%20|=)|[?&]\w+=)?\{password\}/g;

/** Checks for braces in a template that are no placeholders: they would reach the game unchanged. */
export const hasUnknownPlaceholder = (template: string): boolean => /[{}]/.test(template.replace(PLACEHOLDER, ""));

/**
 * Fills a game's join link; without a password removes {password} and its prefix. Null if the game has no link, if a needed
 * value is missing, or if the result is no address for a browser or a game client.
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
