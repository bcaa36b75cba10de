// What may be typed into a field, and a command to copy: the same in every language.
import { JOIN_PLACEHOLDERS } from "#shared/join-href.ts";

/** Examples for the fields of a game server. */
export const EXAMPLES = {
  host: "play.example.org",
  flavour: "Vanilla",
  link_name: "launcher",
  link_placeholder: "{link:launcher}",
  join_link: "steam://connect/{host}:{port}",
};

/** What a guide can be filled with, as an admin types it. */
export const GUIDE_PLACEHOLDERS = "{address} {host} {port} {ports} {version} {name} {max} {link:launcher}";

/** What a join link can be filled with, as an admin types it. */
export const JOIN_LINK_PLACEHOLDERS = JOIN_PLACEHOLDERS.map((name) => `{${name}}`).join(" ");

/** Games for which a heartbeat is ready (public/heartbeat), by what they are called there. */
const HEARTBEAT_PRESETS = {
  palworld: "Palworld",
  valheim: "Valheim (Crossplay)",
  aion: "Aion",
  tera: "Tera",
  skyrim: "Skyrim Together",
};

/** The preset of a game of the catalogue. */
const PRESET_OF_GAME: Readonly<Record<string, keyof typeof HEARTBEAT_PRESETS>> = {
  palworld: "palworld",
  valheim: "valheim",
  aion: "aion",
  tera: "tera",
  skyrimtogheter: "skyrim",
};

/** Those that may help a game: its own alone, none where it is another one, all where nobody knows what it is. */
export function presetsFor(catalogueId: string | null): [preset: string, name: string][] {
  const all = Object.entries(HEARTBEAT_PRESETS);
  return catalogueId === null ? all : all.filter(([preset]) => preset === PRESET_OF_GAME[catalogueId]);
}

/** The line of shell that sets it up on a game machine with Linux and systemd. */
export const presetLine = (siteUrl: string, preset: string, token: string | null): string =>
  `curl -fsSo spawnpoint-heartbeat ${siteUrl}/heartbeat/spawnpoint-heartbeat.sh && sudo sh spawnpoint-heartbeat install ${preset} ${siteUrl} ${token ?? "…"}`;

/** The line of shell with which a game machine reports itself; the token is shown once, at other times three dots. */
export function heartbeatLine(endpoint: string, token: string | null): string {
  const body = '{"players":3,"max_players":20,"version":"1.0"}';
  return `curl -fsS -X POST ${endpoint} -H "Authorization: Bearer ${token ?? "…"}" -H "Content-Type: application/json" -d '${body}'`;
}
