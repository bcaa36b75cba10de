import assert from "node:assert/strict";
import { test } from "node:test";
import { readTypedAddress } from "./typed-address.ts";

const read: [typed: string, host: string, port: number | null][] = [
  ["play.example.org", "play.example.org", null],
  ["play.example.org:2456", "play.example.org", 2456],
  ["  play.example.org : 2456 ", "play.example.org", 2456],
  ["play.example.org 2456", "play.example.org", 2456],
  ["play.example.org port 2456", "play.example.org", 2456],
  ["play.example.org:", "play.example.org", null],
  ["connect 203.0.113.9:27015", "203.0.113.9", 27015],
  ["IP: 203.0.113.9:27015", "203.0.113.9", 27015],
  ["`203.0.113.9:27015`,", "203.0.113.9", 27015],
  ["<play.example.org:25567>.", "play.example.org", 25567],
  ["steam://connect/203.0.113.9:27015/secret", "203.0.113.9", 27015],
  ["STEAM://CONNECT/203.0.113.9:27015", "203.0.113.9", 27015],
  ["minecraft://mc.example.org", "mc.example.org", null],
  ["minecraft://mc.example.org:25567/", "mc.example.org", 25567],
  ["https://play.example.org:8211/join?x=1#y", "play.example.org", 8211],
  ["mumble://ada:secret@voice.example.org:64738/hall", "voice.example.org", 64738],
  ["[2001:db8::1]:2456", "2001:db8::1", 2456],
  ["[2001:db8::1]", "2001:db8::1", null],
  ["2001:db8::1", "2001:db8::1", null],
  ["::1", "::1", null],
  ["steam://connect/[2001:db8::1]:27015", "2001:db8::1", 27015],
  ["\u200bplay.example.org\u00a0:\u00a02456\u200b", "play.example.org", 2456],
];

const refused: [typed: string, reason: string][] = [
  ["", "empty"],
  ["   \n", "empty"],
  ["play.example.org:0", "port"],
  ["play.example.org:65536", "port"],
  ["play.example.org:2456x", "port"],
  ["play.example.org:-1", "port"],
  ["[2001:db8::1]:99999", "port"],
  [":2456", "unreadable"],
  ["steam://", "unreadable"],
  ["[]:2456", "unreadable"],
  ["our server is the nice one at the lake", "unreadable"],
];

test("an address that cannot be read says why", () => {
  for (const [typed, reason] of refused) assert.deepEqual(readTypedAddress(typed), { ok: false, reason }, typed);
});

test("an address is found in what people paste", () => {
  for (const [typed, host, port] of read) assert.deepEqual(readTypedAddress(typed), { ok: true, host, port }, typed);
});

test("a text without end costs nothing", () => {
  const before = process.cpuUsage();
  for (const piece of ["a:", "[", "a ", "@", "steam://", "\u200b"]) readTypedAddress(piece.repeat(200_000));
  assert.ok(process.cpuUsage(before).user < 5_000_000, "no more than its length");
});
