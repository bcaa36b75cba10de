/** What hostile and honest Minecraft servers tell of themselves: never markup, never unbounded, never a name that was not wanted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeMods, startMinecraftServer } from "#demo/protocols/minecraft-server.ts";
import { TOLD_COLOURS, type ToldLine } from "#shared/told-text.ts";
import { queryMinecraft, readStatus } from "../minecraft.ts";

const detailsOf = (status: unknown) => {
  const { details } = readStatus(JSON.stringify(status), { wantsDetails: true }) ?? {};
  assert.ok(details);
  return details;
};
const linesOf = (description: unknown): ToldLine[] => detailsOf({ description }).lines;
const textOf = (lines: ToldLine[]) => lines.map((line) => line.map(({ text }) => text).join(""));

test("nothing beyond figures is read unless it is wanted", () => {
  const status = {
    description: "§6Hello",
    favicon: "data:image/png;base64,AAAA",
    players: { online: 1, max: 2, sample: [{ name: "Alex", id: "1" }] },
  };
  const plain = readStatus(JSON.stringify(status));
  assert.ok(plain && !("details" in plain) && !("playerNames" in plain));
  const detailed = readStatus(JSON.stringify(status), { wantsDetails: true });
  assert.ok(!JSON.stringify(detailed).includes("Alex"));
});

test("codes become spans of plain text with a colour of the list", () => {
  assert.deepEqual(linesOf("§6§lGold §rplain §x§f§f§a§a§0§1near gold\n§nLine two"), [
    [
      { text: "Gold ", colour: "gold", bold: true },
      { text: "plain ", colour: null },
      { text: "near gold", colour: "gold" },
    ],
    // A line's end ends no colour.
    [{ text: "Line two", colour: "gold", underlined: true }],
  ]);
  // A code in the middle of nothing, and one that is none.
  assert.deepEqual(linesOf("a§"), [[{ text: "a", colour: null }]]);
  assert.deepEqual(linesOf("§zb§kc"), [[{ text: "bc", colour: null }]]);
});

test("components hand their look down, and may be lists and texts", () => {
  const description = {
    text: "A",
    color: "#55ff54",
    bold: true,
    extra: [
      "B",
      { text: "C", bold: false, italic: true, color: "no_colour" },
      [{ text: "D", strikethrough: true }, "E"],
    ],
  };
  assert.deepEqual(linesOf(description), [
    [
      { text: "AB", colour: "green", bold: true },
      { text: "C", colour: "green", italic: true },
      { text: "DE", colour: "green", bold: true, struck: true },
    ],
  ]);
  assert.deepEqual(textOf(linesOf({ translate: "a.key", fallback: "Hi", with: ["x"] })), ["Hi"]);
  assert.deepEqual(
    linesOf({ text: "", extra: [{ text: "A Minecraft" }, " Server"] }),
    [],
    "nobody has written anything",
  );
});

test("hostile words: markup stays text, and nothing hides, turns or overflows", () => {
  const script = "<img src=x onerror=alert(1)>";
  const description = {
    text: script,
    clickEvent: { action: "open_url", value: "javascript:alert(2)" },
    hoverEvent: { action: "show_text", value: "hidden words" },
    color: "red;background:url(//evil)",
    class: "evil",
  };
  const lines = linesOf(description);
  assert.deepEqual(lines, [[{ text: script, colour: null }]]);
  assert.deepEqual(textOf(linesOf("a\u202eb\u200bc\u0000d\u{e0041}e")), ["abcde"]);
  assert.deepEqual(textOf(linesOf(`x${"\u0301".repeat(50)}y`)), ["x\u0301\u0301y"]);
  // Marks do not stack across spans either.
  const across = linesOf({
    text: "x",
    extra: Array.from({ length: 50 }, (_, n) => ({ text: "\u0301", bold: n % 2 === 0 })),
  });
  assert.deepEqual(textOf(across), ["x\u0301\u0301"]);
  assert.deepEqual(textOf(linesOf(`${" ".repeat(30)}in the   middle${" ".repeat(30)}\n\n\n two\nthree`)), [
    "in the middle",
    "two",
  ]);
  const long = linesOf(`${"ab".repeat(40_000)}\n${"c".repeat(9)}`);
  assert.ok(textOf(long).every((line) => line.length <= 120) && long.length <= 2);
  const rainbow = linesOf(Array.from({ length: 5_000 }, (_, n) => ({ text: "x", color: TOLD_COLOURS[n % 16] })));
  assert.ok(rainbow.length === 1 && (rainbow[0]?.length ?? 0) <= 80);
  for (const none of [null, 3, true, [], {}, { text: 5 }, { extra: "x" }, "", "§l§l", [[[[]]]]])
    assert.deepEqual(linesOf(none), []);
});

test("an icon is a PNG of 64 × 64 under 64 KB, or none", () => {
  const head = (width: number, height: number, size = 100) => {
    const file = Buffer.alloc(size);
    Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", "latin1").copy(file);
    file.writeUInt32BE(width, 16);
    file.writeUInt32BE(height, 20);
    return file;
  };
  const iconOf = (favicon: unknown) => detailsOf({ favicon }).icon;
  const as = (file: Buffer, type = "image/png") => `data:${type};base64,${file.toString("base64")}`;
  assert.deepEqual(iconOf(as(head(64, 64))), head(64, 64));
  for (const wrong of [
    as(head(65, 64)),
    as(head(64, 60_000)),
    as(head(64, 64, 65_537)),
    as(head(64, 64), "image/svg+xml"),
    as(Buffer.from("<svg onload=alert(1)>")),
    as(head(64, 64).subarray(0, 23)),
    "https://evil.example/icon.png",
    `data:image/png;base64,${"A".repeat(200_000)}`,
    7,
    null,
  ])
    assert.equal(iconOf(wrong), null);
});

test("mods: all three forms of Forge, without the platform, each once, 200 at most", () => {
  assert.deepEqual(
    detailsOf({ modinfo: { type: "FML", modList: [{ modid: "FML" }, { modid: "jei" }, { modid: "jei" }, 4] } }).mods,
    ["jei"],
  );
  assert.deepEqual(
    detailsOf({ forgeData: { mods: [{ modId: "create", modmarker: "1" }, { modId: "minecraft" }] } }).mods,
    ["create"],
  );
  const names = ["create", "jei", "Müller's"];
  assert.deepEqual(detailsOf({ forgeData: { mods: [], d: encodeMods(["forge", ...names]) } }).mods, names);
  const many = Array.from({ length: 700 }, (_, n) => `mod${n}`);
  assert.equal(detailsOf({ forgeData: { d: encodeMods(many) } }).mods.length, 200);
  assert.equal(detailsOf({ modinfo: { modList: many.map((modid) => ({ modid })) } }).mods.length, 200);
});

test("a packed list that lies is read as far as it goes, or not", () => {
  const whole = encodeMods(["create", "jei"]);
  for (let cut = 0; cut < whole.length; cut++) {
    const { mods } = detailsOf({ forgeData: { d: whole.slice(0, cut) } });
    assert.ok(mods.every((name) => ["create", "jei"].includes(name)));
  }
  // A stranger's bits: deterministic, so that a failure can be seen again.
  let seed = 7;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  for (let round = 0; round < 20_000; round++) {
    const d = String.fromCharCode(...Array.from({ length: random(40) }, () => random(65_536)));
    const { mods } = detailsOf({ forgeData: { d: round % 2 ? `${String.fromCharCode(random(60), 0)}${d}` : d } });
    assert.ok(mods.length <= 200 && mods.every((name) => name.length <= 60));
  }
  const started = performance.now();
  assert.deepEqual(detailsOf({ forgeData: { d: `\u7fff\u7fff${"\u7fff".repeat(1000)}` } }).mods, []);
  assert.ok(performance.now() - started < 1_000);
});

test("names are those that a player can have", async () => {
  const sample = [
    { name: "Alex", id: "1" },
    { name: "Alex", id: "2" },
    { name: ".Bedrock_Steve" },
    { name: "Anonymous Player", id: "00000000-0000-0000-0000-000000000000" },
    { name: "§6Vote for us" },
    { name: "www.shop.example" },
    { name: "<b>x</b>" },
    { name: "x" },
    { name: 4 },
    null,
  ];
  const answer = readStatus(JSON.stringify({ players: { online: 9, sample } }), { wantsNames: true });
  assert.deepEqual(answer?.playerNames, ["Alex", ".Bedrock_Steve"]);
  const crowd = Array.from({ length: 5_000 }, (_, n) => ({ name: `Player${n}` }));
  assert.equal(
    readStatus(JSON.stringify({ players: { sample: crowd } }), { wantsNames: true })?.playerNames?.length,
    200,
  );
  assert.deepEqual(readStatus('{"players":{"sample":"Alex"}}', { wantsNames: true })?.playerNames, []);
});

test("a server that tells everything is read over the network", async (context) => {
  const server = await startMinecraftServer({
    info: () => ({
      players: 2,
      maxPlayers: 20,
      version: "1.21.4",
      protocol: 769,
      description: "§aHello",
      mods: ["create"],
      names: ["Alex", "Steve"],
    }),
  });
  context.after(() => server.close());
  const target = { address: "127.0.0.1", port: server.port, host: "localhost" };
  const result = await queryMinecraft(target, { wantsDetails: true, wantsNames: true });
  assert.ok(result.ok);
  assert.deepEqual(result.answer.details?.lines, [[{ text: "Hello", colour: "green" }]]);
  assert.deepEqual(result.answer.details?.mods, ["create"]);
  assert.deepEqual(result.answer.playerNames, ["Alex", "Steve"]);
});
