import assert from "node:assert/strict";
import { test } from "node:test";
import { clientKeysOf, isUncountedProxy } from "./client-keys.ts";

test("an IPv4 address is one client and its own network; an IPv6 one counts by its /64 and its /48", () => {
  const rows: [ip: string, client: string, network: string][] = [
    ["203.0.113.9", "203.0.113.9", "203.0.113.9"],
    ["2001:db8:0:1::5", "2001:db8:0:1::/64", "2001:db8:0::/48"],
    ["2001:0DB8::1:ffff:5", "2001:db8:0:0::/64", "2001:db8:0::/48"],
    ["2001:db8:7:ff01:a:b:c:d", "2001:db8:7:ff01::/64", "2001:db8:7::/48"],
    ["::1", "0:0:0:0::/64", "0:0:0::/48"],
    ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48"],
    ["no address", "no address", "no address"],
  ];
  for (const [ip, client, network] of rows) assert.deepEqual(clientKeysOf(ip), { client, network }, ip);
});

test("only this machine's own addresses are those of a proxy that isn't counted", () => {
  for (const ip of ["127.0.0.1", "127.9.0.1", "::1"]) assert.equal(isUncountedProxy(ip), true, ip);
  for (const ip of ["203.0.113.9", "::11", "2001:db8::1"]) assert.equal(isUncountedProxy(ip), false, ip);
});
