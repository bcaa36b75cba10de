/** A program: pretend game servers that write down when each of them was asked. Arguments: address, first port, how many. */
import { createServer } from "node:http";
import { startA2sServer } from "#demo/protocols/a2s-server.ts";

const [host = "127.0.0.1", first = "27001", count = "1"] = process.argv.slice(2);
/** Ms since 1970, a list for each game server. */
const asked: number[][] = [];

for (let index = 0; index < Number(count); index += 1) {
  const times: number[] = [];
  asked.push(times);
  await startA2sServer({
    host,
    port: Number(first) + index,
    // Told at the end of a whole question, so a question is counted once however many packets it has.
    info() {
      times.push(Date.now());
      return {
        name: `Game server ${index}`,
        map: "harbour",
        folder: "valheim",
        game: "Valheim",
        players: (Math.floor(Date.now() / 10_000) + index) % 20,
        maxPlayers: 64,
        version: "1.0",
      };
    },
  });
}

createServer((_request, response) => response.end(JSON.stringify(asked))).listen(8080, host);
