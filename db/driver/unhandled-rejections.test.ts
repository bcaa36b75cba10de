/** A connection that ends while the driver asks for its array types ends no process. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import path from "node:path";
import { after, before, test } from "node:test";

/** Lets everybody in, and answers nothing more; `afterwards` is done once the driver has asked. */
let afterwards = (_socket: Socket) => {};
const postgres = createServer((socket) => {
  socket.once("data", () => {
    // AuthenticationOk and ReadyForQuery, as the protocol's message formats have them.
    socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]));
    socket.once("data", () => afterwards(socket));
  });
  socket.on("error", () => {});
});
let url = "";

before(async () => {
  await once(postgres.listen(0, "127.0.0.1"), "listening");
  url = `postgres://somebody@127.0.0.1:${(postgres.address() as AddressInfo).port}/site`;
});

after(() => postgres.close());

/** What a process says that has this as its work. */
function say(work: string): Promise<string> {
  const script = `
    import { connectDatabase } from "#db/client.ts";
    import { outliveUnheardErrors } from "#db/driver/unhandled-rejections.ts";
    outliveUnheardErrors();
    const { sql } = connectDatabase({ databaseUrl: ${JSON.stringify(url)} }, { max: 1 });
    ${work}`;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--input-type=module", "-e", script],
      { cwd: path.join(import.meta.dirname, "../.."), timeout: 20_000 },
      (error, out, complaints) => resolve(`${error?.code ?? 0} ${out}${complaints}`),
    );
  });
}

test("cut by us: whoever waited is told, and the process goes on", async () => {
  afterwards = () => {};
  const said = await say(`
    const waiting = sql.reserve().catch((error) => console.log("told:", error.code));
    setTimeout(() => sql.end({ timeout: 0 }), 500);
    await waiting;
    setTimeout(() => console.log("went on"), 100);`);
  assert.equal(said, "0 told: CONNECTION_DESTROYED\nwent on\n");
});

test("cut by Postgres: the process goes on", async () => {
  afterwards = (socket) => socket.destroy();
  const said = await say(`
    sql.reserve().catch(() => {});
    setTimeout(() => { console.log("went on"); process.exit(0); }, 500);`);
  assert.equal(said, "0 went on\n");
});

test("any other error that nobody hears ends the process, as ever", async () => {
  const said = await say(`Promise.reject(new Error("something else"));`);
  assert.match(said, /^1 [\s\S]*something else/);
});
