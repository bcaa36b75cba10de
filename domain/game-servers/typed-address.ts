// Parses a pasted game server address: with a port, a scheme, brackets, spaces or words around it.

export type TypedAddress =
  | { ok: true; host: string; port: number | null }
  | { ok: false; reason: "empty" | "unreadable" | "port" };

const LONGEST = 300;
/** Things copied along: quotes, Markdown brackets, and invisible characters. */
const WRAPPING = /^[\s"'`<(]+|[\s"'`>),;.]+$/g;
const UNSEEN = /[\p{Cc}\p{Cf}]/gu;
const WORDS = /^(?:connect|join|open|ip|server|address|adresse)\s*[:=]?\s+/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * Parses `host`, `host:port`, `host port`, `[v6]:port`, a bare IPv6 address, `steam://connect/host:port/password`,
 * `minecraft://host:port`, `connect host:port` and the like. Only finds the host; doesn't validate it.
 */
export function readTypedAddress(typed: string): TypedAddress {
  let text = typed.slice(0, LONGEST).replace(UNSEEN, "").replace(WRAPPING, "").replace(WORDS, "");
  if (SCHEME.test(text)) {
    const scheme = text.slice(0, text.indexOf(":")).toLowerCase();
    text = text.replace(SCHEME, "");
    if (scheme === "steam") text = text.replace(/^connect\//i, "");
  }
  // Drop path, query, password and user name.
  text = text.replace(/[/?#].*$/, "").replace(/^[^@]*@/, "");
  if (text === "") return { ok: false, reason: typed.trim() === "" ? "empty" : "unreadable" };

  const parts =
    /^\[(?<host>[^\]]*)\](?:[:\s]+(?<port>\S*))?$/.exec(text) ??
    (/^[^\s:]*(?::[^\s:]*){2,}$/.test(text) ? /^(?<host>\S+)$/.exec(text) : null) ??
    /^(?<host>[^\s:]+)(?:\s*:\s*|\s+)(?:port\s*:?\s*)?(?<port>\S*)$/i.exec(text) ??
    /^(?<host>[^\s:]+)$/.exec(text);
  const host = parts?.groups?.host ?? "";
  const port = parts?.groups?.port ?? "";
  if (host === "") return { ok: false, reason: "unreadable" };
  if (port === "") return { ok: true, host, port: null };
  const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
  return number >= 1 && number <= 65_535 ? { ok: true, host, port: number } : { ok: false, reason: "port" };
}
