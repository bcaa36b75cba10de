// Examples for fields, and commands to copy: the same in every language.
import { JOIN_PLACEHOLDERS } from "#shared/join-href.ts";

/** Examples for the fields of a game server. */
export const EXAMPLES = {
  host: "play.example.org",
  flavour: "Vanilla",
  link_name: "launcher",
  link_placeholder: "{link:launcher}",
  join_link: "steam://connect/{host}:{port}",
};

/** Placeholders of a guide, as an admin types them. */
export const GUIDE_PLACEHOLDERS = "{address} {host} {port} {ports} {version} {name} {max} {link:launcher}";

/** Placeholders of a join link, as an admin types them. */
export const JOIN_LINK_PLACEHOLDERS = JOIN_PLACEHOLDERS.map((name) => `{${name}}`).join(" ");

/** Games with a ready heartbeat (public/heartbeat), by their names there. */
const HEARTBEAT_PRESETS = {
  palworld: "Palworld",
  valheim: "Valheim (Crossplay)",
  aion: "Aion",
  tera: "Tera",
  skyrim: "Skyrim Together",
};

/** Presets of catalogue games. */
const PRESET_OF_GAME: Readonly<Record<string, keyof typeof HEARTBEAT_PRESETS>> = {
  palworld: "palworld",
  valheim: "valheim",
  aion: "aion",
  tera: "tera",
  skyrimtogheter: "skyrim",
};

/** Preset for any game: online while its port, program or service is up. */
export const ANY_GAME = "other";

/** Presets that read a journal, with the default service. */
const SERVICES: Readonly<Record<string, string>> = { valheim: " UNIT=valheim", skyrim: " UNIT=skyrim-together" };

/** Returns the presets that fit a game: its own, or the one for any game; all of them where the game is not from the catalogue. */
export function presetsFor(catalogueId: string | null): string[] {
  if (catalogueId === null) return [...Object.keys(HEARTBEAT_PRESETS), ANY_GAME];
  return [PRESET_OF_GAME[catalogueId] ?? ANY_GAME];
}

/** Returns a preset's name, if it is the same in every language. */
export const presetName = (preset: string): string | undefined =>
  (HEARTBEAT_PRESETS as Readonly<Record<string, string>>)[preset];

/**
 * Returns the shell command that sets up the heartbeat on a game machine with Linux and systemd.
 * @param server.token shown once; null at other times, then the command has three dots
 */
export function presetLine(
  siteUrl: string,
  preset: string,
  server: { id: number; gamePort: number | null; token: string | null },
): string {
  const setting = preset === ANY_GAME ? ` PORT=${server.gamePort ?? "…"}` : (SERVICES[preset] ?? "");
  // Several games on one machine: each needs its own name there.
  const given = `${preset} ${siteUrl} ${server.token ?? "…"} server-${server.id}${setting}`;
  return `curl -fsSo spawnpoint-heartbeat ${siteUrl}/heartbeat/spawnpoint-heartbeat.sh && sudo sh spawnpoint-heartbeat install ${given}`;
}
