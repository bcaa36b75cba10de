/** The resolver against a DNS server that changes its mind, lies, hangs and fails. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startDns, type Zone } from "#tests/helpers/network/dns-server.ts";
import { createGameAddressResolver, type GameAddress } from "./game-address.ts";

function shown(address: GameAddress): string {
  return address.ok ? `${address.address} ${address.port} v${address.family}` : address.failure;
}

/** A resolver on a fake DNS and a clock that the test sets forward, in seconds. */
async function startResolver(context: TestContext, zone: Zone, allowCidrs: string[] = []) {
  const dns = await startDns(context, zone);
  let now = 1_800_000_000_000;
  const resolver = createGameAddressResolver({
    allowCidrs,
    deniedPorts: [3000],
    servers: [dns.server],
    now: () => now,
  });
  return {
    dns,
    later: (seconds: number) => {
      now += seconds * 1000;
    },
    ask: async (host: string, port: number | null = 27_015) => shown(await resolver.resolve({ host, port })),
    askMinecraft: async (host: string, port: number | null = null) =>
      shown(await resolver.resolve({ host, port, service: { name: "_minecraft._tcp", port: 25_565 } })),
  };
}

test("what deployment allows is open", async (context) => {
  const { ask } = await startResolver(context, { "A inside.example": { data: ["127.0.0.1"] } }, ["127.0.0.0/8"]);
  assert.equal(await ask("localhost"), "127.0.0.1 27015 v4");
  assert.equal(await ask("127.0.0.9"), "127.0.0.9 27015 v4");
  assert.equal(await ask("inside.example"), "127.0.0.1 27015 v4");
  assert.equal(await ask("::1"), "blocked");
});

test("a public address is found, IPv4 before IPv6", async (context) => {
  const { ask } = await startResolver(context, {
    "A both.example": { data: ["8.8.4.4"] },
    "AAAA both.example": { data: ["2a00::5"] },
    "A six.example": "no_data",
    "AAAA six.example": { data: ["2a00::6"] },
  });
  assert.equal(await ask("both.example"), "8.8.4.4 27015 v4");
  assert.equal(await ask("six.example"), "2a00::6 27015 v6");
  assert.equal(await ask("nowhere.example"), "dns");
});

test("of several addresses the first allowed is taken, and with none it is blocked", async (context) => {
  const { ask } = await startResolver(context, {
    "A mixed.example": { data: ["10.0.0.1", "127.0.0.1", "8.8.8.8", "1.1.1.1"] },
    "A inner.example": { data: ["10.0.0.1", "192.168.0.1"] },
    "AAAA inner.example": { data: ["fd00::1", "2002:7f00:1::"] },
    "A half.example": { data: ["10.0.0.1"] },
    "AAAA half.example": { data: ["2a00::7"] },
  });
  assert.match(await ask("mixed.example"), /^(8\.8\.8\.8|1\.1\.1\.1) /);
  assert.equal(await ask("inner.example"), "blocked");
  assert.equal(await ask("half.example"), "2a00::7 27015 v6");
});

test("a name that flips to 127.0.0.1 is blocked from then on", async (context) => {
  const { ask, dns, later } = await startResolver(context, { "A flip.example": { ttl: 0, data: ["8.8.8.8"] } });
  assert.equal(await ask("flip.example"), "8.8.8.8 27015 v4");
  dns.zone["A flip.example"] = { ttl: 0, data: ["127.0.0.1"] };
  assert.equal(await ask("flip.example"), "8.8.8.8 27015 v4", "the answer that was checked is the one that is used");
  later(31);
  assert.equal(await ask("flip.example"), "blocked");
});

test("an answer is kept for 30 s at least and 300 s at most", async (context) => {
  const { ask, dns, later } = await startResolver(context, {
    "A short.example": { ttl: 1, data: ["8.8.8.8"] },
    "A long.example": { ttl: 86_400, data: ["8.8.8.8"] },
  });
  const timesAsked = (question: string): number => dns.asked.filter((asked) => asked === question).length;
  await ask("short.example");
  later(29);
  await ask("short.example");
  assert.equal(timesAsked("A short.example"), 1);
  later(2);
  await ask("short.example");
  assert.equal(timesAsked("A short.example"), 2);
  await ask("long.example");
  later(299);
  await ask("long.example");
  assert.equal(timesAsked("A long.example"), 1);
  later(2);
  await ask("long.example");
  assert.equal(timesAsked("A long.example"), 2);
});

test("questions asked at the same time go out once", async (context) => {
  const { ask, dns } = await startResolver(context, { "A busy.example": { data: ["8.8.8.8"] } });
  await Promise.all(Array.from({ length: 50 }, () => ask("busy.example")));
  assert.equal(dns.asked.filter((asked) => asked === "A busy.example").length, 1);
});

test("a DNS that hangs is given up and named", async (context) => {
  const { ask } = await startResolver(context, { "A slow.example": "hang", "AAAA slow.example": "hang" });
  const started = performance.now();
  assert.equal(await ask("slow.example"), "dns");
  const ms = performance.now() - started;
  assert.ok(ms > 500, `${ms} ms`);
});

test("an old answer serves for an hour while the DNS hangs or fails, checked like any other", async (context) => {
  const { ask, dns, later } = await startResolver(context, {
    "A old.example": { data: ["8.8.8.8"] },
    "A failing.example": { data: ["8.8.4.4"] },
  });
  await ask("old.example");
  await ask("failing.example");
  Object.assign(dns.zone, {
    "A old.example": "hang",
    "AAAA old.example": "hang",
    "A failing.example": "fail",
    "AAAA failing.example": "fail",
  });
  later(400);
  assert.equal(await ask("old.example"), "8.8.8.8 27015 v4");
  assert.equal(await ask("failing.example"), "8.8.4.4 27015 v4");
  // The failing DNS is left in peace for a while.
  const { length } = dns.asked;
  assert.equal(await ask("old.example"), "8.8.8.8 27015 v4");
  assert.equal(dns.asked.length, length);
  later(3300);
  assert.equal(await ask("failing.example"), "dns");
});

test("a name that is gone is gone: an old answer serves only when the DNS fails", async (context) => {
  const { ask, dns, later } = await startResolver(context, { "A gone.example": { data: ["8.8.8.8"] } });
  await ask("gone.example");
  delete dns.zone["A gone.example"];
  later(400);
  assert.equal(await ask("gone.example"), "dns");
});

test("half a DNS answer is enough only when it holds an address", async (context) => {
  const { ask } = await startResolver(context, {
    "A only-four.example": { data: ["8.8.8.8"] },
    "AAAA only-four.example": "hang",
    "A only-six.example": "fail",
    "AAAA only-six.example": { data: ["2a00::8"] },
    "A neither.example": "fail",
    "AAAA neither.example": "no_data",
    "A closed.example": { data: ["10.0.0.1"] },
    "AAAA closed.example": "fail",
  });
  assert.equal(await ask("only-four.example"), "8.8.8.8 27015 v4");
  assert.equal(await ask("only-six.example"), "2a00::8 27015 v6");
  assert.equal(await ask("neither.example"), "dns");
  assert.equal(await ask("closed.example"), "blocked");
});

test("a service record is asked only when the port is left empty, and its port honoured", async (context) => {
  const { askMinecraft, dns } = await startResolver(context, {
    "SRV _minecraft._tcp.play.example": {
      data: ["10 5 25570 far.example", "5 1 25571 light.example", "5 9 25572 near.example"],
    },
    "A near.example": { data: ["8.8.8.8"] },
    "A play.example": { data: ["1.1.1.1"] },
  });
  assert.equal(await askMinecraft("play.example"), "8.8.8.8 25572 v4");
  dns.asked.length = 0;
  assert.equal(await askMinecraft("play.example", 25_567), "1.1.1.1 25567 v4");
  assert.equal(await askMinecraft("9.9.9.9"), "9.9.9.9 25565 v4");
  assert.ok(!dns.asked.some((asked) => asked.startsWith("SRV")));
});

test("without a service record it is Minecraft's own port", async (context) => {
  const { askMinecraft } = await startResolver(context, {
    "A plain.example": { data: ["8.8.8.8"] },
    "A none.example": { data: ["8.8.8.8"] },
    "SRV _minecraft._tcp.none.example": { data: ["0 0 0 ."] },
  });
  assert.equal(await askMinecraft("plain.example"), "8.8.8.8 25565 v4");
  assert.equal(await askMinecraft("none.example"), "8.8.8.8 25565 v4");
});

test("a service record opens nothing that is closed", async (context) => {
  const { askMinecraft } = await startResolver(context, {
    "SRV _minecraft._tcp.a.example": { data: ["0 0 25565 inner.example"] },
    "A inner.example": { data: ["127.0.0.1"] },
    "SRV _minecraft._tcp.b.example": { data: ["0 0 5432 outer.example"] },
    "SRV _minecraft._tcp.c.example": { data: ["0 0 22 outer.example"] },
    "A outer.example": { data: ["8.8.8.8"] },
    "SRV _minecraft._tcp.d.example": { data: ["0 0 25565 localhost"] },
    "SRV _minecraft._tcp.e.example": { data: ["0 0 25565 127.0.0.1"] },
  });
  for (const host of ["a.example", "b.example", "c.example", "d.example", "e.example"]) {
    assert.equal(await askMinecraft(host), "blocked", host);
  }
});

test("a DNS that fails on the service record does not send us to the wrong port", async (context) => {
  const { askMinecraft } = await startResolver(context, {
    "SRV _minecraft._tcp.play.example": "fail",
    "A play.example": { data: ["8.8.8.8"] },
  });
  assert.equal(await askMinecraft("play.example"), "dns");
});
