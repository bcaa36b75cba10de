/** Minecraft servers of a decade: the doctor names each and its version, and its live row follows a join, a leave, a hang and its end. */
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { createGameDoctor } from "#domain/game-servers/doctor/doctor.ts";
import { joinMinecraft, startMinecraftGameServer } from "#tests/heavy/minecraft-game-server.ts";
import { createBed } from "#tests/helpers/test-bed.ts";
import { until } from "#tests/helpers/until.ts";

const doctor = createGameDoctor({ allowCidrs: ["127.0.0.0/8"] });
let bed: Awaited<ReturnType<typeof createBed>>;
before(async () => {
  bed = await createBed();
});
afterEach(() => bed.clear());
after(() => bed.end());

for (const version of ["1.8.8", "1.12.2", "1.16.5", "1.20.1", "1.21.4"]) {
  test(`Minecraft ${version}`, async (context) => {
    const server = await startMinecraftGameServer({ maxPlayers: 7, version });
    context.after(() => server.kill());
    const [found] = (await doctor.examine(`127.0.0.1:${server.port}`)).findings;
    assert.deepEqual(
      [found?.adapter, found?.game, found?.version, found?.players, found?.max_players, found?.game_port],
      ["minecraft", "Minecraft", version, 0, 7, server.port],
    );
    const id = await bed.addServer({ adapter: "minecraft", game_port: server.port });
    await bed.start();
    const shows = (what: string, status: string, players: number | null) =>
      until(what, async () => {
        const row = await bed.row(id);
        return row.status === status && row.user_online === players;
      });
    await shows("nobody is in it", "online", 0);
    const ada = await joinMinecraft({ port: server.port, username: "Ada", version });
    await shows("Ada is in it", "online", 1);
    await ada.leave();
    await shows("Ada has left", "online", 0);
    server.hang();
    await shows("it hangs", "offline", null);
    server.wake();
    await shows("it answers again", "online", 0);
    await server.kill();
    await shows("it has ended", "offline", null);
  });
}
