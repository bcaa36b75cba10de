// Games that many communities run today, the most wanted first. App ids are those of the game that players own on Steam.
import { a2s, heartbeat, longTail, own, tcp } from "./entry.ts";

const bedrock = own("bedrock");
const factorio = own("factorio");
const fivem = own("fivem");
const luanti = own("luanti");
const satisfactory = own("satisfactory");
const teamspeak = own("teamspeak");
const teeworlds = own("teeworlds");

export const PLAYED_TODAY = [
  a2s("cs2", "Counter-Strike 2", "CS2", 27015, {
    gameType: "counterstrike2",
    steamAppId: 730,
    join: "connect",
    aliases: ["cs", "csgo2", "counter strike"],
  }),
  // Has its own query port since it left RakNet: 28017 unless -queryport sets another.
  a2s("rust", "Rust", "RUST", [28015, 28017], {
    steamAppId: 252490,
    join: "run",
    password: "never",
    aliases: ["oxide", "carbon"],
  }),
  a2s("garrysmod", "Garry's Mod", "GMOD", 27015, {
    steamAppId: 4000,
    join: "connect",
    aliases: ["gmod", "darkrp", "ttt", "prop hunt"],
  }),
  bedrock("minecraft-bedrock", "Minecraft: Bedrock Edition", "MCBE", 19132, {
    gameType: "protocol-minecraftbedrock",
    join: "minecraft://?addExternalServer={host}|{host}:{port}",
    password: "never",
    aliases: ["mc bedrock", "bedrock", "mcpe", "pocket edition", "minecraft pe"],
  }),
  tcp("terraria", "Terraria", "TERRARIA", 7777, { steamAppId: 105600, aliases: ["tshock", "tmodloader", "tml"] }),
  heartbeat("palworld", "Palworld", "PAL", 8211, { steamAppId: 1623730, aliases: ["pals"] }),
  heartbeat("arksurvivalascended", "ARK: Survival Ascended", "ASA", 7777, {
    steamAppId: 2399830,
    guide: "browser",
    aliases: ["ark ascended", "ark sa", "ark 2023"],
  }),
  // Its management interface uses TCP on the game's own port.
  satisfactory("satisfactory", "Satisfactory", "SF", 7777, {
    steamAppId: 526870,
    password: "usual",
    aliases: ["ficsit"],
  }),
  a2s("enshrouded", "Enshrouded", "ENSH", [15636, 15637], {
    steamAppId: 1203620,
    password: "usual",
    aliases: ["embervale"],
  }),
  fivem("fivem", "FiveM", "FIVEM", 30120, {
    join: "fivem://connect/{host}:{port}",
    guide: "client",
    password: "never",
    aliases: ["gta 5", "gta v", "gta rp", "gta5 roleplay", "cfx"],
  }),
  a2s("sdtd", "7 Days to Die", "7DTD", [26900, 26901], {
    steamAppId: 251570,
    guide: "address",
    aliases: ["7d2d", "seven days to die", "7 days"],
  }),
  a2s("dayz", "DayZ", "DAYZ", [2302, 27016], {
    steamAppId: 221100,
    aliases: ["dayz standalone", "chernarus", "livonia"],
  }),
  a2s("arma3", "Arma 3", "A3", [2302, 2303], {
    steamAppId: 107410,
    aliases: ["arma", "altis life", "exile", "antistasi"],
  }),
  a2s("armareforger", "Arma Reforger", "AR", [2001, 17777], { steamAppId: 1874880, aliases: ["reforger"] }),
  a2s("teamfortress2", "Team Fortress 2", "TF2", 27015, { steamAppId: 440, join: "connect", aliases: ["tf 2"] }),
  a2s("conanexiles", "Conan Exiles", "CONAN", [7777, 27015], { steamAppId: 440900, aliases: ["exiled lands"] }),
  // Its default ports.
  a2s("vrising", "V Rising", "VR", [9876, 9877], { steamAppId: 1604030, aliases: ["vampires", "vardoran"] }),
  factorio("factorio", "Factorio", "FACTORIO", 34197, {
    steamAppId: 427520,
    join: "steam://run/427520//--mp-connect%20{host}:{port}",
    aliases: ["space age"],
  }),
  a2s("corekeeper", "Core Keeper", "CK", [1234, 1235], { steamAppId: 1621690, guide: "code", aliases: ["game id"] }),
  a2s("dst", "Don't Starve Together", "DST", [10999, 27016], { steamAppId: 322330, aliases: ["dont starve"] }),
  // The query port is the port that players type.
  a2s("unturned", "Unturned", "UT", 27015, { steamAppId: 304930, guide: "address", aliases: ["rocketmod"] }),
  heartbeat("squad", "Squad", "SQUAD", 7787, {
    steamAppId: 393380,
    guide: "browser",
  }),
  a2s("hll", "Hell Let Loose", "HLL", 27015, { steamAppId: 686810 }),
  a2s("insurgencysandstorm", "Insurgency: Sandstorm", "INSS", [27102, 27131], {
    steamAppId: 581320,
    aliases: ["sandstorm"],
  }),
  a2s("l4d2", "Left 4 Dead 2", "L4D2", 27015, { steamAppId: 550, join: "connect", aliases: ["left for dead 2"] }),
  a2s("sotf", "Sons Of The Forest", "SOTF", [8766, 27016], {
    steamAppId: 1326470,
    password: "usual",
    aliases: ["forest 2"],
  }),
  a2s("theforest", "The Forest", "FOREST", [27015, 27016], { steamAppId: 242760 }),
  a2s("soulmask", "Soulmask", "SM", [8777, 27015], { steamAppId: 2646460 }),
  heartbeat("windrose", "Windrose", "WINDROSE", 7777, { steamAppId: 3041230, guide: "code", aliases: ["pirates"] }),
  a2s("aska", "ASKA", "ASKA", [27015, 27016], { gameType: null, steamAppId: 1898300, password: "usual" }),
  a2s("nightofthedead", "Night of the Dead", "NOTD", [27015, 27016], { gameType: null, steamAppId: 1377380 }),
  a2s("noonesurvived", "No One Survived", "NOS", [5761, 27015], { gameType: null, steamAppId: 1963370 }),
  heartbeat("returntomoria", "The Lord of the Rings: Return to Moria", "MORIA", 7777, {
    steamAppId: 2933130,
    aliases: ["return to moria", "lotr moria"],
  }),
  // It announces itself only to Epic's service, whatever its query port says.
  heartbeat("longvinter", "Longvinter", "LV", 7777, { guide: "browser" }),
  a2s("abioticfactor", "Abiotic Factor", "ABF", [7777, 27015], {
    steamAppId: 427410,
    password: "usual",
    aliases: ["gate facility"],
  }),
  a2s("icarus", "ICARUS", "ICARUS", [17777, 27015], { steamAppId: 1149460 }),
  a2s("spaceengineers", "Space Engineers", "SE", 27016, { steamAppId: 244850, aliases: ["torch"] }),
  a2s("barotrauma", "Barotrauma", "BARO", [27015, 27016], { steamAppId: 602960, aliases: ["submarine"] }),
  a2s("starbound", "Starbound", "SB", 21025, { steamAppId: 211820, guide: "address" }),
  tcp("eco", "Eco", "ECO", [3000, 3001], { steamAppId: 382310, guide: "browser", aliases: ["eco global survival"] }),
  tcp("vintagestory", "Vintage Story", "VS", 42420, { join: "vintagestoryjoin://{host}:{port}" }),
  a2s("ets2", "Euro Truck Simulator 2", "ETS2", [27015, 27016], {
    steamAppId: 227300,
    aliases: ["truck simulator", "convoy"],
  }),
  a2s("ats", "American Truck Simulator", "ATS", [27015, 27016], {
    gameType: null,
    steamAppId: 270880,
    aliases: ["truck simulator", "convoy"],
  }),
  tcp("assettocorsa", "Assetto Corsa", "AC", 9600, { steamAppId: 244210, guide: "browser", aliases: ["racing"] }),
  tcp("altv", "alt:V", "ALTV", 7788, {
    join: "altv://connect/{host}:{port}?password={password}",
    guide: "client",
    aliases: ["alt v", "altv multiplayer", "gta 5", "gta v"],
  }),
  tcp("beammp", "BeamMP", "BEAM", 30814, { steamAppId: 284160, guide: "client", aliases: ["beamng", "beamng drive"] }),
  longTail("gtasamta", "Multi Theft Auto: San Andreas", "MTA:SA", [22003, 22126], {
    join: "mtasa://{host}:{port}",
    guide: "client",
    aliases: ["mta", "gta san andreas", "gta sa"],
  }),
  longTail("gtasam", "San Andreas Multiplayer", "SA-MP", 7777, {
    join: "samp://{host}:{port}",
    guide: "client",
    aliases: ["samp", "sa mp", "gta san andreas", "gta sa"],
  }),
  longTail("gtasao", "open.mp", "OMP", 7777, {
    join: "samp://{host}:{port}",
    guide: "client",
    aliases: ["openmp", "open multiplayer", "gta san andreas", "gta sa"],
  }),
  fivem("redm", "RedM", "REDM", 30120, {
    join: "redm://connect/{host}:{port}",
    guide: "client",
    password: "never",
    aliases: ["red dead redemption 2", "rdr2", "rdr2 roleplay", "cfx"],
  }),
  // Its files are downloaded by TCP, one port above the game's.
  tcp("ragemp", "RAGE Multiplayer", "RAGE:MP", [22005, 22006], {
    guide: "client",
    aliases: ["rage mp", "gta 5", "gta v"],
  }),
  heartbeat("scpsl", "SCP: Secret Laboratory", "SCP:SL", 7777, {
    steamAppId: 700330,
    aliases: ["scp", "secret laboratory"],
  }),
  a2s("mordhau", "MORDHAU", "MORDHAU", [7777, 27015], { steamAppId: 629760 }),
  a2s("css", "Counter-Strike: Source", "CSS", 27015, {
    steamAppId: 240,
    join: "connect",
    aliases: ["cs source", "counter strike source"],
  }),
  a2s("csgo", "Counter-Strike: Global Offensive", "CSGO", 27015, {
    steamAppId: 730,
    join: "connect",
    aliases: ["cs go", "global offensive"],
  }),
  a2s("counterstrike16", "Counter-Strike 1.6", "CS 1.6", 27015, {
    steamAppId: 10,
    join: "connect",
    aliases: ["cs16", "half life counter strike"],
  }),
  a2s("svencoop", "Sven Co-op", "SVEN", 27015, { steamAppId: 225840, join: "connect", aliases: ["sven coop"] }),
  a2s("killingfloor2", "Killing Floor 2", "KF2", [7777, 27015], { steamAppId: 232090, aliases: ["kf 2"] }),
  a2s("egs", "Empyrion – Galactic Survival", "EGS", [30000, 30001], { steamAppId: 383120, aliases: ["empyrion"] }),
  a2s("avorion", "Avorion", "AVORION", [27000, 27020], { steamAppId: 445220, guide: "address" }),
  a2s("foundry", "FOUNDRY", "FOUNDRY", 27015, { steamAppId: 983870, password: "usual" }),
  a2s("risingworld", "Rising World", "RW", [4255, 4254], { steamAppId: 324080 }),
  a2s("moe", "Myth of Empires", "MOE", 12888, { steamAppId: 1371580 }),
  heartbeat("theisleevrima", "The Isle: Evrima", "EVRIMA", 7777, {
    steamAppId: 376210,
    guide: "browser",
    aliases: ["dinosaurs", "isle evrima"],
  }),
  a2s("theisle", "The Isle: Legacy", "ISLE", [7707, 7708], {
    steamAppId: 376210,
    aliases: ["dinosaurs", "isle legacy"],
  }),
  a2s("humanitz", "HumanitZ", "HZ", [7777, 27015], { gameType: null, steamAppId: 1766060 }),
  heartbeat("scum", "SCUM", "SCUM", null, { steamAppId: 513710, guide: "browser" }),
  a2s("vein", "VEIN", "VEIN", [7777, 27015], { gameType: null, steamAppId: 1857950 }),
  heartbeat("runescapedragonwilds", "RuneScape: Dragonwilds", "DW", 7777, {
    steamAppId: 1374490,
    guide: "browser",
    password: "usual",
    aliases: ["dragonwilds"],
  }),
  heartbeat("necesse", "Necesse", "NECESSE", 14159, { steamAppId: 1169040 }),
  heartbeat("stationeers", "Stationeers", "ST", 27016, { steamAppId: 544550 }),
  heartbeat("hytale", "Hytale", "HYTALE", 5520),
  luanti("luanti", "Luanti", "LUANTI", 30000, { aliases: ["minetest", "voxel"] }),
  teeworlds("ddnet", "DDNet", "DDNET", 8303, {
    steamAppId: 412220,
    join: "ddnet://{host}:{port}",
    aliases: ["ddrace", "ddracenetwork", "teeworlds", "tw"],
  }),
  teeworlds("teeworlds", "Teeworlds", "TW", 8303, { steamAppId: 380840, guide: "browser", aliases: ["tee"] }),
  teamspeak("teamspeak", "TeamSpeak", "TS", [9987, 10011], {
    join: "ts3server://{host}?port={port}",
    guide: "voice",
    aliases: ["teamspeak 3", "ts3", "ts6", "voice", "voip"],
  }),
  longTail("mumble", "Mumble", "MUMBLE", 64738, {
    join: "mumble://{host}:{port}",
    guide: "voice",
    aliases: ["murmur", "voice", "voip"],
  }),
];
