// The two forms of a game server's address: the text that players type, and the link that opens the game there.
import type { Lifecycle } from "./statuses.ts";

/** The host to show of a game server: null while nobody can join it, because it is inactive or in maintenance. */
export function joinableHost(server: { lifecycle: Lifecycle; host: string | null }) {
  return server.lifecycle === "active" ? server.host : null;
}

/** "host:port" as players type it, the host alone without a port, null without a host. IPv6 gets its brackets. */
export function formatAddress(host: string | null, port: number | null): string | null {
  if (!host) return null;
  return port === null ? host : `${bracketed(host)}:${port}`;
}

/** What a join link may begin with: schemes of browsers and game clients, none that runs script. */
export const JOIN_SCHEMES = ["steam:", "minecraft:", "https:", "mumble:", "ts3server:", "fivem:", "ddnet:"];

/**
 * Fills {host} and {port} of a game's join link. Null when the game has none, when it needs what the record does not
 * say, or when it is no address of a browser or a game client.
 */
export function joinHref(template: string | null, host: string | null, port: number | null): string | null {
  if (!template || !host || (port === null && template.includes("{port}"))) return null;
  const filled = template.replace(/\{(host|port)\}/g, (_, key: string) =>
    key === "port" ? String(port) : /^[\da-f:.]*:[\da-f:.]*$/i.test(host) ? bracketed(host) : encodeURIComponent(host),
  );
  const url = URL.parse(filled);
  return url && JOIN_SCHEMES.includes(url.protocol) ? url.href : null;
}

function bracketed(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}
