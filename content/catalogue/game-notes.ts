// What docs/games.md says of games whose operators have to know more. Facts from public sources.

/** By the id of the game in the catalogue. */
export const GAME_NOTES: Readonly<Record<string, string>> = {
  aion: "The login server is asked: it speaks first. Players by heartbeat.",
  valheim:
    "Answers only with `-public 1`. With `-crossplay` it tells 0 or nothing: report it by heartbeat, which is ready. It always tells a maximum of 64, and its true version stands in its keywords.",
  palworld: "The heartbeat that is ready needs no open port. REST wants the admin password.",
  hytale: "With the plugin Nitrado:Query, choose Hytale Nitrado:Query.",
  minecraft: "`online-mode` does not matter.",
  "minecraft-bedrock": "Those that were added before by the query library go on as they are.",
  thefront: "Name and maximum in its reply are wrong: ours are shown.",
  arksurvivalevolved: "The count is the length of the list of players.",
  skyrimtogheter: "It has no query.",
  tera: "It greets with `01 00 00 00`. Players by heartbeat.",
  rust: "`server.queryport` (28017 unless it says another) is asked. More than 255 places: true figures from its keywords.",
  battalion1944: "Its reply tells no true figures: they are asked for besides, by A2S_RULES.",
  factorio: "Those that report themselves by heartbeat go on doing so until another way is chosen.",
  soulmask: "Its reply always tells the same version: the true one is asked for besides, by A2S_RULES.",
  cs2: "`host_info_show 0` switches its answer off, `1` and `2` do not.",
  csgo: "`host_info_show 0` switches its answer off, `1` and `2` do not.",
  sdtd: "Asked one port above the game's; telnet and the web panel are not needed.",
  dayz: "`steamQueryPort` in `serverDZ.cfg`.",
  arma3: "Asked one port above the game's.",
  enshrouded: "`queryPort` in `enshrouded_server.json`.",
  gtasamta: "Asked 123 ports above the game's.",
  gtasam: "`query 1` in `server.cfg`, which is usual.",
  arksurvivalascended:
    "Answers no query; only Epic Games lists it. The heartbeat reports it while its port, process or service is up.",
  squad:
    "Answers no query; only Epic Games lists it. The heartbeat reports it while its port, process or service is up.",
  theisleevrima:
    "Answers no query; only Epic Games lists it. The heartbeat reports it while its port, process or service is up.",
  longvinter:
    "Answers no query; only Epic Games lists it. The heartbeat reports it while its port, process or service is up.",
  windrose: "Joined by its invite code, which is the server's join code. Port 7777 alone with `UseDirectConnection`.",
  corekeeper: "Joined by its Game ID, which is the server's join code.",
  terraria: "Without TShock up or down alone. With it, choose TShock REST.",
  fivem: "A `cfx.re/join` code is no address: write host and port.",
  teamspeak:
    "Those that were added before are watched by TCP as they were, without people, until another way is chosen.",
  mumble: "`allowping=true`, which is usual.",
  ddnet: "Named DDNet by the longer form that it alone speaks.",
};
