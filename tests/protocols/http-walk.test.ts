/**
 * Nothing that an admin types, a browser registers, a name leads to, or another server answers makes a caller over HTTP knock anywhere
 * inside: every spelling of closed addresses, closed ports, names that flip, redirects. What counts is how many connections were begun.
 */
import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { createAsker } from "#collector/ask.ts";
import { createSlots } from "#collector/slots.ts";
import { makeSelfSigned } from "#demo/protocols/self-signed.ts";
import { createGameDoctor } from "#domain/game-servers/doctor/doctor.ts";
import { sendMessage } from "#outside/channels/send.ts";
import { defineService } from "#outside/channels/service.ts";
import { createGameAddressResolver } from "#outside/game-address.ts";
import { createServiceAllow } from "#outside/service-address.ts";
import { createPushGateway, makePushKeys } from "#outside/web-push.ts";
import type { AdapterOptions, AdapterSecrets, AskedAdapterId } from "#shared/adapters.ts";
import { startDns, type Zone } from "#tests/helpers/network/dns-server.ts";

/** Every adapter that asks over HTTP, in each way that it may. */
const WAYS: readonly { by: AskedAdapterId; options?: AdapterOptions; secrets?: AdapterSecrets }[] = [
  { by: "palworld", secrets: { adminPassword: "a lamp" } },
  { by: "palworld" },
  { by: "terraria", secrets: { restToken: "0A1B" } },
  { by: "terraria" },
  { by: "hytale" },
  { by: "hytale", options: { withoutTls: true } },
  { by: "satisfactory", secrets: { applicationToken: "ewoJ.4F2A" } },
];

/** Everything else that asks over HTTP where others say, and what it answers when it may not. */
const CALLERS: { name: string; send(host: string, port: number, dns: string): Promise<string | undefined> }[] = [
  ...["http", "https"].map((scheme) => ({
    name: `a message by ${scheme}`,
    async send(host: string, port: number, dns: string) {
      const allow = createServiceAllow({ allowCidrs: [], deniedPorts: [3000], servers: [dns] });
      const shown = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
      const service = defineService({
        name: "Any",
        docs: "",
        public: false,
        help: { en: "", de: "" },
        fields: {},
        shows: () => "",
        request: () => ({ method: "POST", url: `${scheme}://${shown}:${port}/`, headers: {}, body: "" }),
      });
      const event = { type: "test", timestamp: "", data: {} };
      const message = { id: "1", timestampS: 0, title: "", text: "", url: null, event };
      const outcome = await sendMessage(allow, { service, settings: {} }, message);
      return outcome.sent ? "sent" : outcome.failure;
    },
  })),
  {
    name: "web push",
    async send(host, _, dns) {
      const gateway = createPushGateway({ hosts: [host], dns: [dns] });
      const keys = { p256dh: makePushKeys().publicKey, auth: "AAAAAAAAAAAAAAAAAAAAAA" };
      const message = { text: "{}", ttlS: 60, urgency: "normal" } as const;
      const sender = { subject: "https://play.example.org", ...makePushKeys() };
      const signal = new AbortController().signal;
      const outcome = await gateway.send({ endpoint: `https://${host}/x`, ...keys }, message, sender, signal);
      return outcome.sent ? "sent" : outcome.reason;
    },
  },
];

const CLOSED_HOSTS =
  "127.0.0.1 127.1 127.0.1 0 0.0.0.0 0177.0.0.1 0x7f.0.0.1 0x7f000001 2130706433 017700000001 localhost LOCALHOST localhost. " +
  "a.localhost 10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255 100.64.0.1 169.254.169.254 " +
  "169.254.170.2 2852039166 0xa9fea9fe 0251.0376.0251.0376 [::1] ::1 :: ::ffff:127.0.0.1 ::ffff:7f00:1 [::ffff:169.254.169.254] " +
  "::ffff:a9fe:a9fe ::127.0.0.1 fe80::1 fe80::1%lo fd00:ec2::254 fc00::1 fec0::1 ff02::1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe " +
  "2002:7f00:1:: 2001::1 224.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 ①②⑦.⓪.⓪.① 127。0。0。1 " +
  "user@127.0.0.1 127.0.0.1:80 127.0.0.1/x http://127.0.0.1 127.0.0.1#@8.8.8.8";

/** Names that the DNS leads inside. */
const CLOSED_NAMES: Zone = {
  "A metadata.google.internal": { data: ["169.254.169.254"] },
  "A loop.example": { data: ["127.0.0.1"] },
  "A inner.example": { data: ["10.0.0.4", "192.168.0.4"] },
  "A zero.example": { data: ["0.0.0.0"] },
  "A carrier.example": { data: ["100.100.100.200"] },
  "A six.example": "no_data",
  "AAAA six.example": { data: ["::1", "fd00:ec2::254", "::ffff:7f00:1"] },
};

const CLOSED_PORTS = [
  0, 22, 25, 53, 80, 443, 1023, 2375, 2379, 3000, 3306, 5432, 6379, 8500, 9200, 10_250, 11_211, 27_017, 65_536,
];

/** How many connections over TCP this process began while it ran, by their ends. */
async function connectionsOf(work: () => Promise<void>): Promise<number> {
  let begun = 0;
  const count = () => {
    begun += 1;
  };
  subscribe("net.client.socket", count);
  try {
    await work();
  } finally {
    unsubscribe("net.client.socket", count);
  }
  return begun;
}

async function startWatcher(context: TestContext, zone: Zone, allowCidrs: string[] = []) {
  const dns = await startDns(context, zone);
  const options = { allowCidrs, deniedPorts: [3000], servers: [dns.server] };
  let checked: (() => void) | undefined;
  const resolver = createGameAddressResolver(options);
  const asker = createAsker(
    {
      resolver: {
        async resolve(question) {
          const found = await resolver.resolve(question);
          checked?.();
          return found;
        },
      },
      query: (adapter, question) => adapter.query({ ...question, deadlineMs: 400 }),
      openSecrets: async () => ({ adminPassword: "a lamp", restToken: "0A1B", applicationToken: "ewoJ.4F2A" }),
    },
    createSlots(100, 10, () => {}),
    () => 0,
  );
  const ask = async (way: (typeof WAYS)[number], host: string, port: number) => {
    const { by: adapter, options = {}, secrets } = way;
    const asked = await asker.ask({
      adapter,
      options,
      secrets: secrets ? { adminPassword: { sealed: "x", end: "" } } : {},
      host,
      gamePort: port,
      queryPort: port,
      intervalMs: 1000,
      claimedUntil: 1e9,
      heartbeat: null,
      state: { failuresInRow: 0 },
    });
    return asked?.outcome.ok === false ? asked.outcome.failure : "answered";
  };
  return {
    dns,
    ask,
    doctor: createGameDoctor(options),
    onChecked(then: () => void) {
      checked = then;
    },
  };
}

test("the list names every adapter that asks over HTTP", async () => {
  const folder = path.join(import.meta.dirname, "../../outside/game-query");
  const files = (await readdir(folder, { recursive: true })).filter((file) => /^[\w/-]+\.ts$/.test(file));
  const walked = new Set<string>(WAYS.map(({ by }) => by));
  let asking = 0;
  for (const file of files) {
    if (!/exchangeOverHttp\(/.test(await readFile(path.join(folder, file), "utf8"))) continue;
    asking += 1;
    const id = path.basename(file, ".ts");
    assert.ok(walked.has(id) || id === "http-exchange", file);
  }
  assert.ok(asking >= 4);
});

test("no spelling of a closed address, and no name that leads there, is knocked at", async (context) => {
  const { ask, doctor, dns } = await startWatcher(context, CLOSED_NAMES);
  const hosts = [...CLOSED_HOSTS.split(" "), ...Object.keys(CLOSED_NAMES).map((key) => key.split(" ")[1] ?? "")];
  assert.ok(hosts.length >= 53, String(hosts.length));
  const begun = await connectionsOf(async () => {
    for (const host of hosts) {
      for (const way of WAYS)
        for (const port of [8080, 8212])
          assert.match(await ask(way, host, port), /^(?:blocked|dns)$/, `${way.by} ${host}:${port}`);
      for (const { name, send } of CALLERS)
        for (const port of [443, 8080])
          assert.match(
            (await send(host, port, dns.server)) ?? "",
            /^(?:blocked|dns|push_unlisted)$/,
            `${name} ${host}:${port}`,
          );
      await doctor.examine(`${host}:8212`);
    }
  });
  assert.equal(begun, 0);
});

test("no closed port is knocked at", async (context) => {
  const { ask } = await startWatcher(context, { "A open.example": { data: ["8.8.8.8"] } });
  const begun = await connectionsOf(async () => {
    for (const port of CLOSED_PORTS)
      for (const way of WAYS)
        for (const host of ["8.8.8.8", "open.example"])
          assert.equal(await ask(way, host, port), "blocked", `${way.by} ${host}:${port}`);
  });
  assert.equal(begun, 0);
});

test("a name that flips between the check and the question leads to the checked address alone", async (context) => {
  const inner = createServer((_, response) => response.end("{}"));
  const visits: Socket[] = [];
  inner.on("connection", (socket) => visits.push(socket));
  inner.listen(0, "127.0.0.1");
  await once(inner, "listening");
  context.after(() => inner.close());
  const { port } = inner.address() as { port: number };
  // The address that is checked is another one of this machine, where nobody listens.
  const { ask, dns, onChecked } = await startWatcher(context, { "A flip.example": { ttl: 0, data: ["127.0.0.2"] } }, [
    "127.0.0.2",
  ]);
  onChecked(() => {
    dns.zone["A flip.example"] = { ttl: 0, data: ["127.0.0.1"] };
  });
  const begun = await connectionsOf(async () => {
    for (const way of WAYS) assert.notEqual(await ask(way, "flip.example", port), "answered", way.by);
  });
  assert.ok(begun > 0, "a walk that asks nobody proves nothing");
  assert.equal(visits.length, 0);
  assert.equal(dns.asked.filter((asked) => asked === "A flip.example").length, 1, "nothing is resolved a second time");
});

test("a redirect leads nowhere, whichever adapter hears it", async (context) => {
  const inner = createServer((_, response) => response.end("{}"));
  let visits = 0;
  inner.on("connection", () => {
    visits += 1;
  });
  inner.listen(0, "127.0.0.1");
  await once(inner, "listening");
  const { port: within } = inner.address() as { port: number };
  const targets = [`http://127.0.0.1:${within}/`, "http://169.254.169.254/latest/meta-data/", `//localhost:${within}/`];
  const doors = await Promise.all(
    targets.flatMap((location) =>
      [createServer(), createTlsServer(makeSelfSigned())].map(async (door) => {
        door.on("request", (_, response) => response.writeHead(307, { Location: location }).end());
        door.listen(0, "127.0.0.1");
        await once(door, "listening");
        context.after(() => door.close());
        return (door.address() as { port: number }).port;
      }),
    ),
  );
  context.after(() => inner.close());
  const { ask } = await startWatcher(context, {}, ["127.0.0.1"]);
  for (const port of doors)
    for (const way of WAYS) assert.notEqual(await ask(way, "127.0.0.1", port), "answered", `${way.by} ${port}`);
  assert.equal(visits, 0);
});
