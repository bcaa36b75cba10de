/** A DNS server on loopback that changes its mind, lies, hangs and fails as a test wants it. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { TestContext } from "node:test";

/** Records by "TYPE name"; a question without an entry has no such name. */
export type Zone = Record<string, { ttl?: number; data: string[] } | "hang" | "fail" | "no_data">;
export type FakeDns = { server: string; zone: Zone; asked: string[] };

const typeNames: Record<number, string> = { 1: "A", 28: "AAAA", 33: "SRV" };

/** A DNS server over UDP (RFC 1035, 3596, 2782) that answers from a zone which the test may change at any time. */
export async function startDns(context: TestContext, zone: Zone): Promise<FakeDns> {
  const fake: FakeDns = { server: "", zone, asked: [] };
  const socket = createSocket("udp4");
  socket.on("message", (query, from) => {
    const { question, end } = readQuestion(query);
    fake.asked.push(question);
    const entry = fake.zone[question];
    if (entry === "hang") return;
    const records =
      typeof entry === "object" ? entry.data.map((data) => encodeRecord(question, entry.ttl ?? 60, data)) : [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    const code = entry === "fail" ? 2 : entry === undefined ? 3 : 0;
    header.writeUInt16BE(0x8180 | code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  context.after(() => socket.close());
  fake.server = `127.0.0.1:${socket.address().port}`;
  return fake;
}

function readQuestion(query: Buffer): { question: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = typeNames[query.readUInt16BE(at + 1)] ?? "other";
  return { question: `${type} ${labels.join(".").toLowerCase()}`, end: at + 5 };
}

function encodeName(name: string): Buffer {
  const labels = name.split(".").filter((label) => label !== "");
  return Buffer.concat([
    ...labels.map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.from([0]),
  ]);
}

function encodeRecord(question: string, ttl: number, data: string): Buffer {
  const type = question.split(" ")[0];
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(Number(Object.entries(typeNames).find(([, name]) => name === type)?.[0]), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttl, 6);
  const body = encodeData(type, data);
  head.writeUInt16BE(body.length, 10);
  return Buffer.concat([head, body]);
}

function encodeData(type: string | undefined, data: string): Buffer {
  if (type === "A") return Buffer.from(data.split(".").map(Number));
  if (type === "AAAA") {
    const [before = "", after = ""] = data.split("::");
    const groups = (text: string): number[] =>
      text
        .split(":")
        .filter(Boolean)
        .map((group) => Number.parseInt(group, 16));
    const tail = groups(after);
    const all = [...groups(before), ...new Array(8 - groups(before).length - tail.length).fill(0), ...tail];
    return Buffer.concat(all.map((group) => Buffer.from([group >> 8, group & 255])));
  }
  const [priority = "0", weight = "0", port = "0", target = "."] = data.split(" ");
  const numbers = Buffer.alloc(6);
  [priority, weight, port].forEach((value, index) => {
    numbers.writeUInt16BE(Number(value), index * 2);
  });
  return Buffer.concat([numbers, encodeName(target)]);
}
