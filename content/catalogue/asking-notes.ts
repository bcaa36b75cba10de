// What docs/games.md says by hand: of each way to ask, and of games whose operators have to know more. Facts from public sources.
import type { AdapterId } from "#shared/adapters.ts";

type AskingNotes = {
  /** What it is called in a heading. */
  title: string;
  /** How it asks, and where what is shown comes from. */
  how: string;
  /** Where the truth stands elsewhere than one would think, and what else goes wrong. */
  traps: readonly string[];
  /** What an operator has to open or switch on. */
  open: string;
};

/** One that is forgotten does not compile. */
export const ADAPTER_NOTES: Record<AdapterId, AskingNotes> = {
  a2s: {
    title: "Steam query (A2S)",
    how: "Two UDP packets: Valve's A2S_INFO, and again with the challenge that came back. Players are those of the reply without its bots.",
    traps: [
      "The port that is asked is often another than the one that players type: the doctor tries the usual neighbours.",
      "A reply has one byte for players and one for the maximum. Where a game has more than 255 places, the true figures are read from its keywords (`cp312`, `mp400`).",
      "A list of players is only fetched where its length is the only true count (*Count the list of players*: ARK: Survival Evolved), and where an admin shows members who is on.",
      "Where name and maximum in the reply are wrong, *Trust name and maximum above* shows ours (The Front, Valheim).",
      "Compressed replies are never opened: a few hundred bytes may become a gigabyte.",
    ],
    open: "The query port for UDP, for the machine that Spawnpoint runs on. Source games answer nothing with `host_info_show 0`.",
  },
  minecraft: {
    title: "Minecraft: Java Edition (Server List Ping)",
    how: "One TCP connection, as the game's own list of servers makes it. The name of the server is the first line of its MOTD.",
    traps: [
      "Without a port in the address, the record `_minecraft._tcp` in the DNS tells it, as it does for players.",
      "Proxies (Velocity, BungeeCord and hosted ones) answer each host name differently: the address must have the name that players type.",
      "`hide-online-players=true` hides the names alone; a plugin may write any figure.",
    ],
    open: "The game's port for TCP, and `enable-status=true` in `server.properties`, which is usual. `enable-query` is not needed.",
  },
  satisfactory: {
    title: "Satisfactory (lightweight query, and HTTPS for players)",
    how: "One UDP packet each way at the game's port tells that it is up, its name and its build. With an application token, `QueryServerState` is asked over HTTPS at the same port: of its answer the number of people and the maximum are read.",
    traps: [
      "Without a token nobody can tell how many are on: players are shown as not reported.",
      "Its certificate is one of its own making and is not checked: whoever stands in between could read the token, which may manage the server. `server.InvalidateAPITokens` takes all of them back.",
      "While it loads a save, it answers the query alone.",
    ],
    open: "The game's port for UDP, which players need as well, and for TCP where the token is used.",
  },
  palworld: {
    title: "Palworld (REST)",
    how: "One `GET /v1/api/metrics` over HTTP, with the admin password, and nothing else.",
    traps: [
      "The password opens everything there, the players' addresses too, and travels unencrypted: the makers say not to open the port to the internet. A heartbeat from the machine itself needs neither.",
      "It tells neither name nor version.",
    ],
    open: "`RESTAPIEnabled=True` and an `AdminPassword` in `PalWorldSettings.ini`, and its port (8212) for TCP, for the machine that Spawnpoint runs on alone.",
  },
  terraria: {
    title: "Terraria with TShock (REST)",
    how: "One `GET /v2/server/status` over HTTP, which names no player.",
    traps: [
      "Only TShock has it. A server without it is watched by TCP at its game port: up or down, no players.",
      "With `EnableTokenEndpointAuthentication` it answers nobody without a token; write one into the game server's form, made for this alone.",
      "The token travels unencrypted, beside the address.",
    ],
    open: "`RestApiEnabled: true` in TShock's `config.json`, and its port (7878) for TCP, for the machine that Spawnpoint runs on alone.",
  },
  hytale: {
    title: "Hytale with Nitrado:Query",
    how: "One GET to the web server that the plugin brings, three ports above the game's. Of its answer the short part is read, never the players.",
    traps: [
      "Its certificate is one of its own making and is not checked: what is read is public.",
      "What strangers may read is up to the plugin's permissions; without any of it, it answers as unauthorized.",
    ],
    open: "The plugins Nitrado:WebServer and Nitrado:Query, and the web server's port for TCP.",
  },
  bedrock: {
    title: "Minecraft: Bedrock Edition (RakNet ping)",
    how: "One UDP packet each way, at the port that players type. The name is the first line of its MOTD, the map the name of its level.",
    traps: [
      "Some server programs do not give back the time that was sent: they are believed, as the socket hears nobody else.",
      "A semicolon in a name ends a field where the server program writes no backslash before it: the figures are looked for behind it.",
      "Geyser in front of a Java server answers as Bedrock does; the Java server is asked at a port of its own.",
    ],
    open: "The game's port for UDP.",
  },
  fivem: {
    title: "FiveM and RedM (getinfo)",
    how: "One UDP packet each way, at the port that players type. The challenge that was sent has to come back.",
    traps: [
      "Both games run on the same server program and answer alike: the doctor says which of them it is only where map, type or name tell.",
      "It answers each address twice a second, ten times at once: the shortest interval is far from that.",
      "It tells no version. `info.json` and `players.json` are never asked for.",
      "Behind a reverse proxy the address that players type may carry HTTP alone: write the machine's own address and port.",
    ],
    open: "The game's port for UDP, which players need as well.",
  },
  teeworlds: {
    title: "Teeworlds and DDNet",
    how: "Two UDP packets at once: the question of 0.6, marked as DDNet does, and the request for a token of 0.7. Whichever leads to an answer counts.",
    traps: [
      "Players are all who are on, with those who only watch.",
      "The form of 0.6 has room for 16. A larger server writes the truth behind its name (`Name [47/64]`), and there it is read.",
      "DDNet answers 0.7 as well and then leaves out whom one packet has no room for: its own, longer form is waited for.",
      "More questions than `sv_server_info_per_second` are answered without the list of players, which is not read anyway.",
    ],
    open: "The game's port for UDP. `sv_register 0` keeps a server out of the public list and is answered all the same.",
  },
  factorio: {
    title: "Factorio (game information)",
    how: "One byte asks for what the game's own list of servers shows, and a ping goes along. Players are how many it names; the names are not kept.",
    traps: [
      "Its maker documents none of it: it is read as servers of 2.0 and 2.1 write it. One that writes otherwise, or nothing, but answers the ping is up, and players and version are unknown.",
      "It tells no maximum: ours is shown.",
      "A server with hundreds of mods answers in many packets; where one of them is lost, it is asked again.",
    ],
    open: "The game's port for UDP, which players need as well. `visibility` in `server-settings.json` may be off.",
  },
  luanti: {
    title: "Luanti, once Minetest (handshake)",
    how: "One UDP packet with nothing in it, as a player's program begins: the server gives it a number, which proves that it is there, and the number is given back at once.",
    traps: [
      "It tells neither players nor name nor version: those stand only in the public list of its makers, which is not asked. A heartbeat may tell them besides.",
    ],
    open: "The game's port for UDP, which players need as well.",
  },
  teamspeak: {
    title: "TeamSpeak 3 (ServerQuery)",
    how: "One TCP connection to the query port as a guest: the virtual server is chosen by the port that people type, and what it says of itself is read. Nobody's name is asked for.",
    traps: [
      "People are its clients without those who only ask.",
      "Where the group *Guest Server Query* may not see the server (`b_virtualserver_info_view`), it is up, and figures are unknown.",
      "A machine that answers, but has no running server at that port, counts as *refused*.",
      "More than ten commands in three seconds get an address banned; each question takes three. Many servers on one machine: put the address that asks into `query_ip_allowlist.txt`.",
      "TeamSpeak 6 has no such query any more: use a heartbeat.",
    ],
    open: "The query port (10011) for TCP, for the machine that Spawnpoint runs on alone. `query_protocols` must contain `raw`.",
  },
  epic: {
    title: "Epic Online Services (through Epic Games)",
    how: "The game server answers nobody. Epic Games is asked for its sessions at the address, over HTTPS, once a second at most, and the one with its port is read. Only where the operator has brought what Epic wants to be shown (`EPIC_ARK_SURVIVAL_ASCENDED`, `EPIC_SQUAD`): Spawnpoint ships none ([048](decisions/048-epic-by-an-operators-switch.md)).",
    traps: [
      "A company learns which addresses are watched. A heartbeat does without.",
      "What Epic cannot tell is *unknown*, never down; what it does not list is not running. There is no latency.",
      "The record needs the address that players reach, of IPv4: Epic knows no other.",
      "All game servers of one machine cost one question. More than some twenty machines need an interval of more than 30 seconds.",
    ],
    open: "Nothing for Spawnpoint.",
  },
  gamedig: {
    title: "Other queries (gamedig)",
    how: "The query library gamedig, in a process of its own that is fenced in ([011](decisions/011-the-long-tail-in-a-process-of-its-own.md)). Only games whose protocol reaches for nothing but the game server.",
    traps: ["IPv4 alone: an address of IPv6 is never called down, and never asked.", "A maximum of 0 is unknown."],
    open: "The port of the column *Asked at*, for UDP unless the game's own documents say TCP.",
  },
  tcp: {
    title: "TCP connect",
    how: "A connection to the port, closed at once: that it accepts, that the server speaks first, or that it speaks first with certain bytes.",
    traps: [
      "It says nothing about players: their count is unknown, never 0. A heartbeat may tell it besides.",
      "A proxy or a firewall that accepts for everybody looks like a game server that is up: choose one of the greetings where the game has one.",
    ],
    open: "The port for TCP.",
  },
  heartbeat: {
    title: "Heartbeat",
    how: "Nobody asks: the game machine reports itself over HTTPS, with a token of its own ([operating.md](operating.md)). Players, maximum and version are what it says.",
    traps: ["Silence for three intervals is *unknown*, not down: nobody can tell which of the two machines is away."],
    open: "Nothing. The game machine needs to reach the site over HTTPS.",
  },
};

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
  arksurvivalascended: "Where Epic is not asked: report it by heartbeat. Those that report themselves go on doing so.",
  squad: "Where Epic is not asked: report it by heartbeat. Those that report themselves go on doing so.",
  terraria: "Without TShock up or down alone. With it, choose TShock REST.",
  fivem: "A `cfx.re/join` code is no address: write host and port.",
  teamspeak:
    "Those that were added before are watched by TCP as they were, without people, until another way is chosen.",
  mumble: "`allowping=true`, which is usual.",
  ddnet: "Named DDNet by the longer form that it alone speaks.",
};
