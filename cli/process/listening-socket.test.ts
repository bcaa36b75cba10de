import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { socketOf } from "./listening-socket.ts";

const answering = (text: string): Server => createServer((_asked, answer) => answer.end(text));

test("a second server answers on the socket that the first listens on", async (t) => {
  const [before, after] = [answering("before"), answering("after")];
  assert.equal(socketOf(before), null, "nothing listens yet");
  await once(before.listen(0, "127.0.0.1"), "listening");
  const { port } = before.address() as AddressInfo;
  const socket = socketOf(before);
  assert.ok(socket, "Node keeps what a server listens on in `_handle`");
  await once(after.listen(socket), "listening");
  t.after(() => after.close());
  const answer = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5_000) });
  assert.equal(await answer.text(), "after");
});
