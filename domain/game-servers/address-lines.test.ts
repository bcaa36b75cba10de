import assert from "node:assert/strict";
import { test } from "node:test";
import { listSuperlinear, type Pattern } from "#tests/helpers/growth.ts";
import { linesOf, readAddressLine } from "./address-lines.ts";

type Read = [line: string, host: string, port: number | null, name?: string | null, password?: string | null];

const read: Read[] = [
  ["203.0.113.9:27015", "203.0.113.9", 27015],
  ["  play.example.org:2456  ", "play.example.org", 2456],
  ["play.example.org", "play.example.org", null],
  ["play.example.org.:2456", "play.example.org", 2456],
  ["play.example.org 2456", "play.example.org", 2456],
  ["203.0.113.9 port 2456", "203.0.113.9", 2456],
  ["203.0.113.9 (port: 2456)", "203.0.113.9", 2456],
  ["mc-box:25565", "mc-box", 25565],
  ["localhost:27015", "localhost", 27015],
  ["0x7f.1:2456", "0x7f.1", 2456],
  ["999.1.1.1:2456", "999.1.1.1", 2456],
  ["spielhölle.example:2456", "spielhölle.example", 2456],
  // IPv6, with and without brackets.
  ["[2001:db8::1]:2456", "2001:db8::1", 2456],
  ["[2001:db8::1]", "2001:db8::1", null],
  ["2001:db8::1", "2001:db8::1", null],
  ["Midgard - [2001:db8::1]:2456", "2001:db8::1", 2456, "Midgard"],
  ["connect [2001:db8::1]:27015; password owl", "2001:db8::1", 27015, null, "owl"],
  ["::1", "::1", null],
  // Links and consoles.
  ["steam://connect/203.0.113.9:27015", "203.0.113.9", 27015],
  ["steam://connect/203.0.113.9:27015/owl", "203.0.113.9", 27015, null, "owl"],
  ["steam://connect/[2001:db8::1]:27015/owl - Midgard", "2001:db8::1", 27015, "Midgard", "owl"],
  ["steam://run/252490//+connect%20203.0.113.9:28015", "203.0.113.9", 28015],
  ["Rust main: steam://run/252490//+connect 203.0.113.9:28015", "203.0.113.9", 28015, "Rust main"],
  ["minecraft://mc.example.org", "mc.example.org", null],
  ["https://play.example.org:8211/join?x=1#y", "play.example.org", 8211],
  ["mumble://ada:secret@voice.example.org:64738/hall", "voice.example.org", 64738],
  ["[Midgard](steam://connect/203.0.113.9:27015)", "203.0.113.9", 27015, "Midgard"],
  ["<steam://connect/203.0.113.9:27015> Midgard", "203.0.113.9", 27015, "Midgard"],
  ["connect 203.0.113.9:27015", "203.0.113.9", 27015],
  ["connect 203.0.113.9:27015; password owl", "203.0.113.9", 27015, null, "owl"],
  ["connect 203.0.113.9:27015;password owl", "203.0.113.9", 27015, null, "owl"],
  ['connect 203.0.113.9:27015; password "barn owl"', "203.0.113.9", 27015, null, "barn owl"],
  ["+connect 203.0.113.9:27015 +password owl", "203.0.113.9", 27015, null, "owl"],
  // Names before and behind it, out of lists and of chat.
  ["203.0.113.9:27015 - My server", "203.0.113.9", 27015, "My server"],
  ["203.0.113.9:27015 # My server", "203.0.113.9", 27015, "My server"],
  ["Midgard: play.example.org:2456", "play.example.org", 2456, "Midgard"],
  ["Midgard (PvE) – play.example.org:2456 – no mods", "play.example.org", 2456, "Midgard (PvE)"],
  ["- **Midgard** → `play.example.org:2456`", "play.example.org", 2456, "Midgard"],
  ["• Midgard | play.example.org:2456", "play.example.org", 2456, "Midgard"],
  ["1. Midgard play.example.org:2456", "play.example.org", 2456, "Midgard"],
  ["> :flag_de: Midgard IP: 203.0.113.9:2456", "203.0.113.9", 2456, "Midgard"],
  ["🇩🇪 203.0.113.9:2456 – Midgard", "203.0.113.9", 2456, "Midgard"],
  ["<:owl:123456> Midgard <@&42> 203.0.113.9:2456", "203.0.113.9", 2456, "Midgard"],
  ["| Midgard | 203.0.113.9:2456 | Valheim |", "203.0.113.9", 2456, "Midgard"],
  ['"My, server","203.0.113.9","27015"', "203.0.113.9", 27015, "My, server"],
  ["My server\t203.0.113.9\t27015", "203.0.113.9", 27015, "My server"],
  ["Midgard (203.0.113.9:2456)", "203.0.113.9", 2456, "Midgard"],
  ["Server IP: 203.0.113.9:2456", "203.0.113.9", 2456],
  ["Vanilla 1.20.4 - mc.example.org:25565", "mc.example.org", 25565, "Vanilla 1.20.4"],
  ["Restart at 20:15:30, play.example.org:2456", "play.example.org", 2456, "Restart at 20:15:30"],
  ["write to ada@example.org for 203.0.113.9:2456", "203.0.113.9", 2456, "write to ada@example.org for"],
  ["see https://example.org/rules then 203.0.113.9:2456", "203.0.113.9", 2456, "see https://example.org/rules then"],
  [`${"n".repeat(100)} 203.0.113.9:2456`, "203.0.113.9", 2456, "n".repeat(80)],
  ["<script>alert(1)</script> 203.0.113.9:2456", "203.0.113.9", 2456, "script>alert(1)</script"],
  ["\u200bMid\u202egard\u200b 203.0.113.9:2456", "203.0.113.9", 2456, "Midgard"],
  // Passwords, and what is none.
  ["Midgard 203.0.113.9:2456 pw owl", "203.0.113.9", 2456, "Midgard", "owl"],
  ["Midgard 203.0.113.9:2456 (Passwort: owl)", "203.0.113.9", 2456, "Midgard", "owl"],
  ["Midgard 203.0.113.9:2456 password: `owl`", "203.0.113.9", 2456, "Midgard", "owl"],
  ["Midgard 203.0.113.9:2456 PW=||owl||", "203.0.113.9", 2456, "Midgard", "owl"],
  ["Midgard pw: owl 203.0.113.9:2456", "203.0.113.9", 2456, "Midgard", "owl"],
  ["Midgard 203.0.113.9:2456 password: none", "203.0.113.9", 2456, "Midgard"],
  ["Midgard 203.0.113.9:2456 no password needed", "203.0.113.9", 2456, "Midgard"],
  ["Midgard 203.0.113.9:2456 kein pw nötig", "203.0.113.9", 2456, "Midgard"],
  ["Pass the salt 203.0.113.9:2456", "203.0.113.9", 2456, "Pass the salt"],
];

const refused: [line: string, reason: string][] = [
  ["Our servers:", "no_address"],
  ["Midgard", "no_address"],
  ["v1.20.4 is out", "no_address"],
  ["20:15", "no_address"],
  ["2130706433:2456", "no_address"],
  ["Slots:32", "no_address"],
  ["ada@example.org", "no_address"],
  ["aa:bb:cc:dd:ee:ff", "no_address"],
  ["play.example.org:0", "port"],
  ["play.example.org:65536", "port"],
  ["203.0.113.9:2456x", "port"],
  ["[2001:db8::1]:99999", "port"],
  ["https://discord.gg/abc", "web_page"],
  ["Join us: https://example.org/rules", "web_page"],
  [`203.0.113.9:2456 ${"x".repeat(1000)}`, "too_long"],
];

test("a line without an address says why", () => {
  for (const [line, reason] of refused) {
    const [one, ...more] = readAddressLine(line);
    assert.deepEqual([one?.ok, one && !one.ok && one.reason, more.length], [false, reason, 0], line);
  }
});

test("an address is found with the name and the password beside it", () => {
  for (const [line, host, port, name = null, password = null] of read) {
    const [one, ...more] = readAddressLine(line);
    assert.ok(one?.ok, line);
    const { typed, ...rest } = one;
    assert.deepEqual(rest, { ok: true, host, port, name, password }, line);
    assert.deepEqual(more, [], line);
    if (password !== null) assert.ok(!typed.includes(password) && typed.includes("•••"), typed);
  }
});

test("several addresses of a line are several lines; a name and its number are one", () => {
  const hosts = (line: string) => readAddressLine(line).map((one) => one.ok && [one.host, one.port, one.name]);
  assert.deepEqual(hosts("203.0.113.9:2456, 203.0.113.9:2458"), [
    ["203.0.113.9", 2456, null],
    ["203.0.113.9", 2458, null],
  ]);
  assert.deepEqual(hosts("Midgard 203.0.113.9:2456 / Asgard 203.0.113.9:2458"), [
    ["203.0.113.9", 2456, "Midgard"],
    ["203.0.113.9", 2458, "Asgard"],
  ]);
  assert.deepEqual(hosts("203.0.113.9:2456 Midgard / 203.0.113.9:2458 Asgard"), [
    ["203.0.113.9", 2456, "Midgard"],
    ["203.0.113.9", 2458, "Asgard"],
  ]);
  assert.deepEqual(hosts("play.example.org (203.0.113.9:2456)"), [["203.0.113.9", 2456, "play.example.org"]]);
});

test("what says nothing is no line", () => {
  const text =
    "\ufeff# Our servers\r\n\r\n203.0.113.9:2456\n   \n---\n// old\n; old\n```\n|---|---|\nMidgard\r203.0.113.9:2457\n";
  assert.deepEqual(linesOf(text), ["203.0.113.9:2456", "Midgard", "203.0.113.9:2457"]);
  assert.deepEqual(linesOf(""), []);
});

/** Texts that make careless patterns try each beginning with each end. */
const HOSTILE: Pattern[] = [
  ...'a. a: [ [a: [: [[: 1. @ steam:// ((( ( )) [x] {} - -- :a: :: 0: 0.0. a+ a- %20 ~~ || ` " \' pw: pw:" pw=|| port: ip: a://b@ //// * 1) <a: <@'.split(
    " ",
  ),
  ...["a ", "port ", "server ip ", "pw ", "- ", "1) ", "[ ] ", " ", "\t", "\u00a0", "\u200b", "connect ", "; "],
  (length) => "[".repeat(length / 2) + ":".repeat(length / 2),
  (length) => "(".repeat(length / 2) + ")".repeat(length / 2),
  (length) => `203.0.113.9${" ".repeat(length)}x`,
  (length) => `203.0.113.9:27015 ${"(".repeat(length / 2)}a${")".repeat(length / 2)}`,
  (length) => `203.0.113.9:27015 a${"-".repeat(length)}a`,
  (length) => `steam://connect/203.0.113.9:27015${"/".repeat(length)}a`,
];

test("a line costs as much as it is long, whatever it is made of", () => {
  assert.deepEqual(listSuperlinear(readAddressLine, 230, HOSTILE), []);
});

test("a long text costs as much as it is long", () => {
  const readAll = (text: string) => linesOf(text).flatMap(readAddressLine);
  const pieces = ["a. ", "[a:\n", "\u200b", ";", "\n", "%20", "steam://run/1//"];
  assert.deepEqual(listSuperlinear(readAll, 5000, pieces), []);
});
