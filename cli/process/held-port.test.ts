import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { HeldPort, SITE_DESCRIPTOR } from "./held-port.ts";

/** A process that answers with `text` on the held socket. */
async function answerWith(t: TestContext, held: HeldPort, text: string): Promise<ChildProcess> {
  const program = `require("node:http").createServer((_, response) => response.end(${JSON.stringify(text)}))
    .listen({ fd: ${SITE_DESCRIPTOR} }, () => process.send("listens"));`;
  const child = spawn(process.execPath, ["-e", program], {
    stdio: ["ignore", "inherit", "inherit", "ipc", ...held.descriptors(0)],
  });
  t.after(() => child.kill("SIGKILL"));
  await once(child, "message");
  return child;
}

const get = async (port: number) =>
  (await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(30_000) })).text();

test("connections wait for the next process after a crash, and are refused once the port is closed", async (t) => {
  if (process.platform === "win32") return t.skip("a process can't listen on a descriptor");
  const held = await HeldPort.open({ host: "localhost", port: 0 }, false);
  assert.ok(held);
  const { port } = held;
  await assert.rejects(get(port), "nobody listens yet");
  const first = await answerWith(t, held, "first");
  assert.equal(await get(port), "first");
  first.kill("SIGKILL");
  await once(first, "exit");
  const waiting = get(port);
  const second = await answerWith(t, held, "second");
  assert.equal(await waiting, "second");
  held.close();
  assert.equal(await get(port), "second", "the one that listens is not disturbed");
  second.kill("SIGKILL");
  await once(second, "exit");
  await assert.rejects(get(port));
});

test("workers share the port by a socket each; one that crashed leaves it to the others", async (t) => {
  if (process.platform !== "linux") return t.skip("several processes share a port on Linux");
  const held = await HeldPort.open({ host: "127.0.0.1", port: 0 }, true);
  assert.ok(held);
  t.after(() => held.close());
  const [own, again] = held.descriptors(1);
  assert.equal(own, again);
  assert.notEqual(held.descriptors(2)[0], own);
  held.drop(2);
  held.drop(2);
});
