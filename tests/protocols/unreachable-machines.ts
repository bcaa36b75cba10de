/** Run in a network namespace of its own: what the doctor says of machines that nothing comes back from, as JSON. */
import { spawnSync } from "node:child_process";
import { createGameDoctor } from "#domain/game-servers/doctor/doctor.ts";

function ip(...args: string[]): void {
  const { status, stderr } = spawnSync("ip", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`ip ${args.join(" ")} failed: ${stderr}`);
}

// A cable with nobody at its other end, in a network that is set aside for tests (RFC 2544).
ip("link", "set", "lo", "up");
ip("link", "add", "near", "type", "veth", "peer", "name", "far");
ip("address", "add", "198.18.77.1/24", "dev", "near");
for (const end of ["near", "far"]) ip("link", "set", end, "up");
// What is sent to a network card that nobody has is lost without a word, as behind a firewall that drops.
ip("neighbour", "replace", "198.18.77.8", "lladdr", "02:00:00:00:77:77", "dev", "near", "nud", "permanent");

const doctor = createGameDoctor({ allowCidrs: ["198.18.0.0/15"] });
const places = {
  off: "198.18.77.9:27015",
  dropped: "198.18.77.8:27015",
  "no way there": "198.19.0.1:27015",
  "no IPv6 here": "[2a00:1450::1]:27015",
};
const told = await Promise.all(
  Object.entries(places).map(async ([what, address]) => {
    const { causes, ways } = await doctor.examine(address);
    return [what, { causes, heartbeat: ways.heartbeat }];
  }),
);
process.stdout.write(JSON.stringify(Object.fromEntries(told)));
