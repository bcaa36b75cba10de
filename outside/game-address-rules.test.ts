/** What must not be reachable through the site, in every spelling. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressRanges, isAllowedAddress, isAllowedPort, readHost } from "./game-address-rules.ts";

const nothing = new AddressRanges([]);
const everything = new AddressRanges(["0.0.0.0/0", "::/0"]);

test("addresses that are not the public internet are closed", () => {
  const closed =
    "0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254 172.16.0.1 172.31.255.255 " +
    "192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.1.1.1 " +
    "240.0.0.1 255.255.255.255 " +
    ":: ::1 ::2 ::127.0.0.1 fe80::1 febf::1 fec0::1 fc00::1 fd12:3456::1 ff02::1 ff0e::1 2001:db8::1 2001:2::1 2001:10::1 " +
    "2001:20::1 3fff::1 100::1 5f00::1 4000::1 2620:4f:8000::1 " +
    "::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::808:808 64:ff9b:1::1 " +
    "2002:7f00:1:: 2002:c0a8:101::1 2001::1 2001:0:7f00:1::";
  for (const address of closed.split(" ")) assert.equal(isAllowedAddress(address, nothing), false, address);
});

test("public addresses are open, those beside closed ranges too", () => {
  const open =
    "1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.1.1 172.15.255.255 " +
    "172.32.0.0 192.0.1.1 192.167.1.1 192.169.1.1 198.17.1.1 198.20.0.0 223.255.255.255 " +
    "2a00:1450:4001::1 2606:4700::1111 2001:200::1 2003::1 2600::1 3ffe::1";
  for (const address of open.split(" ")) assert.equal(isAllowedAddress(address, nothing), true, address);
});

test("exceptions open what they name, and no translated form of it", () => {
  const loopback = new AddressRanges(["127.0.0.0/8", "::1"]);
  assert.equal(isAllowedAddress("127.0.0.1", loopback), true);
  assert.equal(isAllowedAddress("::1", loopback), true);
  assert.equal(isAllowedAddress("10.0.0.1", loopback), false);
  for (const address of ["::ffff:127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1"]) {
    assert.equal(isAllowedAddress(address, loopback), false, address);
    assert.equal(isAllowedAddress(address, everything), false, address);
  }
});

test("what is no plain address is never allowed", () => {
  for (const text of [
    "",
    "localhost",
    "127.1",
    "0x7f.1",
    "010.0.0.1",
    "8.8.8.8 ",
    "fe80::1%lo",
    "[::1]",
    "8.8.8.8:53",
  ]) {
    assert.equal(isAllowedAddress(text, everything), false, text);
  }
});

test("a range that is none stops the start, by its name", () => {
  for (const text of [
    "",
    "loopback",
    "127.0.0.1/33",
    "::1/129",
    "127.0.0.1/",
    "127.0.0.1/8/8",
    "127.0.0.1/-1",
    "127.0.0.1/0x8",
    "10/8",
  ]) {
    assert.throws(() => new AddressRanges([text]), { message: `Not a range of addresses: "${text}"` }, text);
  }
  assert.equal(new AddressRanges([" 10.0.0.0/8 "]).has("10.1.1.1"), true);
});

test("ports of the system, of databases and those denied are closed, game ports are open", () => {
  const denied = new Set([3000]);
  for (const port of [
    0,
    -1,
    22,
    80,
    443,
    1023,
    1433,
    2375,
    3000,
    3306,
    5432,
    6379,
    9200,
    11211,
    27017,
    27015.5,
    65_536,
    Number.NaN,
  ]) {
    assert.equal(isAllowedPort(port, denied), false, String(port));
  }
  for (const port of [1024, 2106, 2456, 2457, 7777, 7801, 10_578, 16_261, 25_565, 25_567, 27_015, 27_016, 65_535]) {
    assert.equal(isAllowedPort(port, denied), true, String(port));
  }
});

test("odd spellings of addresses are refused, not understood", () => {
  const odd =
    "2130706433 0x7f000001 017700000001 0x7f.1 127.1 127.0.1 0177.0.0.1 127.0.0.0x1 127.0.0.1. 1.2.3.4.5 256.1.1.1 08.8.8.8 " +
    "example.com.1 foo.0x 1 [::1] ::1%lo ::ffff:127.0.0.1:80 127.0.0.1:80 １２７.０.０.１ ①②⑦.0.0.1 127。0。0。1";
  for (const host of odd.split(" ")) assert.deepEqual(readHost(host), { kind: "refused", failure: "blocked" }, host);
});

test("what no name can be is refused without asking the DNS", () => {
  const wrong = [
    "",
    ".",
    " ",
    "a b",
    "-a.example",
    "a-.example",
    "a..example",
    ".example",
    "a.example..",
    "a/b",
    "a@b",
    "a\0b",
    "a\nb",
    "ex%61mple.com",
  ];
  for (const host of [...wrong, "x".repeat(64), `${"a.".repeat(127)}toolong`]) {
    assert.deepEqual(readHost(host), { kind: "refused", failure: "dns" }, JSON.stringify(host));
  }
});

test("names are read in one spelling", () => {
  assert.deepEqual(readHost("Play.Example.NET."), { kind: "name", name: "play.example.net" });
  assert.deepEqual(readHost("spiel.bücher.example"), { kind: "name", name: "spiel.xn--bcher-kva.example" });
  assert.deepEqual(readHost("my_server.example"), { kind: "name", name: "my_server.example" });
  for (const host of ["localhost", "LOCALHOST.", "anything.localhost"])
    assert.deepEqual(readHost(host), { kind: "own_machine" });
  assert.deepEqual(readHost("8.8.8.8"), { kind: "address", address: "8.8.8.8" });
  assert.deepEqual(readHost("2A00::1"), { kind: "address", address: "2A00::1" });
});
