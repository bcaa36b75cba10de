/**
 * The socket on which a web process listens, handed on to the one that takes its place, so that nobody who comes meanwhile is refused:
 * both accept from the same queue of the kernel's, and closing it in one of them loses nobody.
 */
import type { ChildProcess, SendHandle } from "node:child_process";
import type { Server } from "node:net";

/** What travels over the channel between a process of ours and its children. */
const ASK = "spawnpoint:hand-over";
const GIVE = "spawnpoint:listening";
const NONE = "spawnpoint:nothing-listens";

/** A socket of the kernel's that listens, as Node hands it over: nothing is accepted from it until a server listens on it. */
export type ListeningSocket = SendHandle & { close(): void };

const PATIENCE_MS = 5_000;

/** The socket of a server that listens: what `send` of a channel and `listen` of another server take (Node: "anything with a handle"). */
export function socketOf(server: Server): ListeningSocket | null {
  return (server as Server & { _handle: ListeningSocket | null })._handle;
}

/** In a service: gives its sockets to whoever started it, when asked. */
export function giveWhenAsked(sockets: () => Promise<ListeningSocket[]>): void {
  process.on("message", async (message) => {
    if (message !== ASK) return;
    const given = await sockets();
    if (given.length === 0) process.send?.(NONE);
    for (const socket of given) process.send?.([GIVE, given.length], socket);
  });
}

/** In a service that was started to take another's place: the sockets that it is given; none where that took too long. */
export const takeGiven = (): Promise<ListeningSocket[]> => collect(process);

/** Asks a child for the sockets that it listens on; none when it does not answer. */
export async function askForSockets(child: ChildProcess): Promise<ListeningSocket[]> {
  if (!child.connected) return [];
  const given = collect(child);
  child.send(ASK, () => {});
  return given;
}

/** Hands sockets to a child, and lets go of them here. */
export async function giveSockets(child: ChildProcess, sockets: ListeningSocket[]): Promise<void> {
  if (sockets.length === 0) child.send(NONE, () => {});
  for (const socket of sockets) {
    await new Promise<void>((resolve) => child.send([GIVE, sockets.length], socket, {}, () => resolve()));
    socket.close();
  }
}

function collect(from: NodeJS.EventEmitter): Promise<ListeningSocket[]> {
  return new Promise((resolve) => {
    const sockets: ListeningSocket[] = [];
    const end = () => {
      clearTimeout(patience);
      from.off("message", take);
      resolve(sockets);
    };
    const take = (message: unknown, socket: ListeningSocket | undefined) => {
      if (message === NONE) end();
      if (!Array.isArray(message) || message[0] !== GIVE) return;
      if (socket) sockets.push(socket);
      if (sockets.length >= Number(message[1])) end();
    };
    const patience = setTimeout(end, PATIENCE_MS);
    from.on("message", take);
  });
}
