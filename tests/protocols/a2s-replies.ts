/** Replies over A2S as a game server writes them, for tests. */

/** In one packet: its head and what follows, each character a byte. */
export function packet(latin1: string): Buffer {
  return Buffer.from(`\xff\xff\xff\xff${latin1}`, "latin1");
}

/** To the first question; `rest` begins with the version. */
export function infoReply(
  fields: { name?: string; players?: number; max?: number; bots?: number; rest?: string } = {},
): Buffer {
  const { name = "A server", players = 5, max = 20, bots = 0, rest = "1.0\0" } = fields;
  const counts = Buffer.from([players, max, bots]).toString("latin1");
  return Buffer.concat([
    packet("I\x11"),
    Buffer.from(name),
    Buffer.from(`\0map\0folder\0game\0\0\0${counts}dl\0\0${rest}`, "latin1"),
  ]);
}
