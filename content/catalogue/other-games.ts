// Games that communities run but the allow-list can't poll: a TCP connection shows whether they are online, or the game machine
// sends heartbeats.
import { heartbeat, tcp } from "./entry.ts";

export const OTHER_GAMES = [
  // Online role-playing games on private servers: the login server's port is checked.
  tcp("worldofwarcraft", "World of Warcraft", "WOW", 3724, {
    guide: "client",
    password: "never",
    aliases: ["azerothcore", "trinitycore", "cmangos", "wotlk", "private server"],
  }),
  tcp("lineage2", "Lineage II", "L2", [7777, 2106], {
    guide: "client",
    password: "never",
    adapterOptions: { expect: "server_first" },
    aliases: ["l2j", "lineage 2"],
  }),
  tcp("ragnarokonline", "Ragnarok Online", "RO", 6900, {
    guide: "client",
    password: "never",
    aliases: ["rathena", "hercules", "kro"],
  }),
  tcp("ultimaonline", "Ultima Online", "UO", 2593, {
    guide: "client",
    password: "never",
    aliases: ["servuo", "modernuo"],
  }),
  tcp("muonline", "MU Online", "MU", 44405, {
    guide: "client",
    password: "never",
    adapterOptions: { expect: "server_first" },
    aliases: ["openmu"],
  }),
  tcp("silkroadonline", "Silkroad Online", "SRO", 15779, { guide: "client", password: "never" }),
  tcp("maplestory", "MapleStory", "MS", 8484, {
    guide: "client",
    password: "never",
    adapterOptions: { expect: "server_first" },
    aliases: ["cosmic", "heavenms"],
  }),
  tcp("darkageofcamelot", "Dark Age of Camelot", "DAOC", 10300, {
    guide: "client",
    password: "never",
    aliases: ["dawn of light", "daoc freeshard"],
  }),
  // Building and survival.
  tcp("classicube", "ClassiCube", "CC", 25565, { guide: "browser", aliases: ["minecraft classic"] }),
  tcp("veloren", "Veloren", "VELOREN", 14004, { aliases: ["voxel"] }),
  tcp("mindustry", "Mindustry", "MDT", 6567, { steamAppId: 1127400 }),
  heartbeat("craftopia", "Craftopia", "CT", 6587, { steamAppId: 1307550 }),
  heartbeat("smalland", "Smalland: Survive the Wilds", "SMALLAND", 7777, { steamAppId: 768200, guide: "browser" }),
  heartbeat("nightingale", "Nightingale", "NG", 7777, { steamAppId: 1928980 }),
  heartbeat("frozenflame", "Frozen Flame", "FROZEN", 7777, { steamAppId: 715400, guide: "browser" }),
  heartbeat("pathoftitans", "Path of Titans", "POT", 7777, { guide: "browser", aliases: ["dinosaurs"] }),
  heartbeat("astroneer", "ASTRONEER", "ASTRO", 8777, { steamAppId: 361420 }),
  heartbeat("stormworks", "Stormworks: Build and Rescue", "SW", 25564, { steamAppId: 573090, guide: "browser" }),
  heartbeat("brickadia", "Brickadia", "BRICK", 7777, { steamAppId: 2199420, guide: "browser" }),
  // Round-based and role-playing.
  tcp("spacestation14", "Space Station 14", "SS14", 1212, {
    join: "ss14://{host}:{port}",
    steamAppId: 1255460,
    guide: "client",
    password: "never",
    aliases: ["ss13"],
  }),
  tcp("spacestation13", "Space Station 13", "SS13", null, {
    join: "byond://{host}:{port}",
    guide: "client",
    password: "never",
    aliases: ["byond"],
  }),
  heartbeat("amongus", "Among Us", "AU", 22023, { steamAppId: 945360, guide: "client", aliases: ["impostor"] }),
  heartbeat("tes3mp", "TES3MP", "TES3MP", 25565, {
    guide: "client",
    aliases: ["morrowind", "openmw", "elder scrolls"],
  }),
  heartbeat("lunamultiplayer", "Kerbal Space Program: Luna Multiplayer", "LMP", 8800, {
    steamAppId: 220200,
    guide: "client",
    aliases: ["ksp"],
  }),
  // Driving and flying.
  tcp("assettocorsacompetizione", "Assetto Corsa Competizione", "ACC", 9232, {
    steamAppId: 805550,
    guide: "browser",
    aliases: ["racing"],
  }),
  tcp("trackmanianations", "TrackMania Nations Forever", "TMNF", 2350, {
    steamAppId: 11020,
    guide: "browser",
    aliases: ["tmnf", "racing"],
  }),
  tcp("dcsworld", "DCS World", "DCS", 10308, { steamAppId: 223750, aliases: ["digital combat simulator"] }),
  heartbeat("farmingsimulator22", "Farming Simulator 22", "FS22", 10823, {
    steamAppId: 1248130,
    guide: "browser",
    password: "usual",
    aliases: ["ls22", "landwirtschafts simulator"],
  }),
  heartbeat("farmingsimulator25", "Farming Simulator 25", "FS25", 10823, {
    steamAppId: 2300320,
    guide: "browser",
    password: "usual",
    aliases: ["ls25", "landwirtschafts simulator"],
  }),
  // Shooters and brawls.
  heartbeat("pavlov", "Pavlov VR", "PAVLOV", 7777, { steamAppId: 555160, guide: "browser" }),
  heartbeat("northstar", "Northstar", "NORTHSTAR", 37015, {
    steamAppId: 1237970,
    guide: "client",
    aliases: ["titanfall 2", "tf2 northstar"],
  }),
  tcp("warband", "Mount & Blade: Warband", "WARBAND", 7240, {
    steamAppId: 48700,
    guide: "browser",
    aliases: ["mount and blade"],
  }),
  tcp("bannerlord", "Mount & Blade II: Bannerlord", "BANNERLORD", 7210, {
    steamAppId: 261550,
    guide: "browser",
    aliases: ["mount and blade 2"],
  }),
  heartbeat("zandronum", "Doom (Zandronum)", "ZAN", 10666, {
    steamAppId: 2280,
    guide: "client",
    aliases: ["doomseeker", "odamex", "doom 2"],
  }),
  heartbeat("sonicroboblast2", "Sonic Robo Blast 2", "SRB2", 5029, { guide: "console", aliases: ["srb2"] }),
  heartbeat("sauerbraten", "Cube 2: Sauerbraten", "SAUER", 28785, { guide: "console" }),
  heartbeat("assaultcube", "AssaultCube", "AC", 28763, { guide: "console" }),
  tcp("bzflag", "BZFlag", "BZFLAG", 5154, { guide: "browser" }),
  heartbeat("supertuxkart", "SuperTuxKart", "STK", 2759, { guide: "browser", aliases: ["tux racer", "racing"] }),
  // Strategy.
  tcp("openra", "OpenRA", "ORA", 1234, { aliases: ["red alert", "command and conquer"] }),
  tcp("openrct2", "OpenRCT2", "ORCT2", 11753, { aliases: ["rollercoaster tycoon"] }),
  heartbeat("zeroad", "0 A.D.", "0AD", 20595, { aliases: ["0ad"] }),
  tcp("wesnoth", "Battle for Wesnoth", "WESNOTH", 15000, { steamAppId: 599390 }),
  tcp("freeciv", "Freeciv", "FREECIV", 5556),
  tcp("warzone2100", "Warzone 2100", "WZ2100", 2100, { aliases: ["wz"] }),
];
