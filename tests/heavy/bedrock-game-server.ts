/**
 * A program: a real server of Minecraft's Bedrock Edition (JSPrismarine) at 0.0.0.0, port 19132, set up by the config.yaml
 * of the folder that it is started in. Run it only where nothing outside reaches that port.
 */
import process from "node:process";

// The packages' own types point at sources that they leave out; these are the few parts in use.
type Prismarine = {
  Config: new () => object;
  Server: new (options: { config: object; logger: object; headless: boolean }) => { bootstrap(): Promise<void> };
};
type Logging = { Logger: new (level: string) => object };

const load = (name: string): Promise<unknown> => import(name);
const { Config, Server } = (await load("@jsprismarine/prismarine")) as Prismarine;
const { Logger } = (await load("@jsprismarine/logger")) as Logging;

// Its own launcher ends it at the first packet of another game's protocol, which any stranger may send, and so may who asks
// an address in every way. Such a packet is dropped here, as other servers do.
process.on("uncaughtException", (error) => {
  if (!error.message.startsWith("Unknown unconnected packet")) throw error;
});
await new Server({ config: new Config(), logger: new Logger("info"), headless: true }).bootstrap();
// What it opens does not keep its process.
setInterval(() => {}, 60_000);
