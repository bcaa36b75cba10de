/** A port for something that is about to start, or at which nobody is to listen. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A TCP port of loopback that was free a moment ago, and that nobody listens at. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
