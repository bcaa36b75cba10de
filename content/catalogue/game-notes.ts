// Notes in docs/games.md about games whose operators need to know more. Facts from public sources.

/** By catalogue id. */
export const GAME_NOTES: Readonly<Record<string, string>> = {
  aion: "The login server is checked.",
  valheim:
    "Needs `-public 1`. With `-crossplay` use the heartbeat: the query reports 0 or nothing. The reply's maximum is always 64; the version comes from the keywords.",
  palworld: "The heartbeat needs no open port; REST needs the admin password.",
  hytale: "With the plugin Nitrado:Query, choose Hytale Nitrado:Query.",
  tera: "Greets with `01 00 00 00`.",
  rust: "Queries `server.queryport` (default 28017).",
  sdtd: "Needs no telnet or web panel.",
  dayz: "`steamQueryPort` in `serverDZ.cfg`.",
  enshrouded: "`queryPort` in `enshrouded_server.json`.",
  gtasam: "Needs `query 1` in `server.cfg` (the default).",
  windrose: "Join by invite code (the join code); by port 7777 only with `UseDirectConnection`.",
  corekeeper: "Join by Game ID (the join code).",
  terraria: "With TShock, choose TShock REST.",
  fivem: "Enter host and port, not a `cfx.re/join` code.",
  mumble: "Needs `allowping=true` (the default).",
};
