/** Our adapter against real game servers of Debian's packages, on loopback: by the adapter, and by the doctor from the address alone. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { createGameDoctor } from "#domain/game-servers/doctor/doctor.ts";
import { queryTeeworlds } from "#outside/game-query/udp/teeworlds.ts";
import { findFreePort, firstAnswer, folderFor, runUntilOver } from "./real-game-server.ts";

const address = "127.0.0.1";
const ALONE = { bindaddr: address, sv_register: 0, sv_name: "Midgard", password: "freya" };

for (const { game, program, settings, expected } of [
  {
    game: "Teeworlds",
    program: "/usr/games/teeworlds-server",
    settings: { sv_map: "ctf5", sv_max_clients: 12 },
    expected: { maxPlayers: 12, map: "ctf5", version: /^0\.7\.\d+$/ },
  },
  {
    game: "DDNet",
    program: "/usr/games/DDNet-Server",
    settings: { sv_map: "Tutorial", sv_max_clients: 48, sv_ipv4only: 1 },
    expected: { maxPlayers: 48, map: "Tutorial", version: /^0\.6\.4, \d+\.\d/ },
  },
]) {
  const skip = !existsSync(program) && `${program} is not installed`;
  test(`a real ${game} server`, { skip }, async (context) => {
    const folder = await folderFor(context);
    const port = await findFreePort();
    // Each argument is a line for its console: a file that it does not find would let it listen everywhere.
    const lines = Object.entries({ ...ALONE, ...settings, sv_port: port }).map(([name, value]) => `${name} ${value}`);
    runUntilOver(context, program, lines, folder);
    const { version, ...told } = await firstAnswer(() => queryTeeworlds({ address, port }, { deadlineMs: 1000 }));
    const { maxPlayers, map } = expected;
    assert.deepEqual(told, { players: 0, bots: null, maxPlayers, name: "Midgard", map, passwordProtected: true });
    assert.match(version ?? "", expected.version);
    const { findings } = await createGameDoctor({ allowCidrs: ["127.0.0.0/8"] }).examine(`${address}:${port}`);
    assert.deepEqual(
      [findings.length, findings[0]?.adapter, findings[0]?.game, findings[0]?.game_port, findings[0]?.query_port],
      [1, "teeworlds", game, port, null],
    );
  });
}
