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
const COPY = "spawnpoint:copy";

/** A socket of the kernel's that listens, as Node hands it over: nothing is accepted from it until a server listens on it. */
export type ListeningSocket = SendHandle & { close(): void };

/** A machine that is short of time answers late, and whoever asks on behalf of another has asked a moment later. */
const PATIENCE_MS = 30_000;
const ON_BEHALF_MS = 20_000;

/** The socket of a server that listens: what `send` of a channel and `listen` of another server take (Node: "anything with a handle"). */
export function socketOf(server: Server): ListeningSocket | null {
  return (server as Server & { _handle: ListeningSocket | null })._handle;
}

/**
 * In a service: gives its sockets to the process that started it, when asked.
 * @param onHandedOn called when they were asked for on behalf of the process that takes this one's place, not for a copy
 */
export function giveWhenAsked(sockets: () => Promise<ListeningSocket[]>, onHandedOn: () => void): void {
  process.on("message", async (message) => {
    if (message !== ASK && message !== COPY) return;
    const given = await sockets();
    if (message === COPY) {
      if (given[0]) process.send?.(COPY, given[0]);
      return;
    }
    if (given.length > 0) onHandedOn();
    if (given.length === 0) process.send?.(NONE);
    for (const socket of given) process.send?.([GIVE, given.length], socket);
  });
}

/** In a service that was started to take another's place: the sockets that it is given; none where that took too long. */
export const takeGiven = (): Promise<ListeningSocket[]> => collect(process, PATIENCE_MS);

/**
 * Asks a child for the sockets that it listens on; none when it does not answer.
 * @param onBehalf this process is asked itself, and its answer waits for this one
 */
export async function askForSockets(child: ChildProcess, onBehalf = false): Promise<ListeningSocket[]> {
  if (!child.connected || owing.has(child)) return [];
  const given = collect(child, onBehalf ? ON_BEHALF_MS : PATIENCE_MS);
  child.send(ASK, () => {});
  return given;
}

/** Hands sockets to a child, and lets go of them here. */
export async function giveSockets(child: ChildProcess, sockets: ListeningSocket[]): Promise<void> {
  await sendSockets(child, sockets);
  for (const socket of sockets) socket.close();
}

async function sendSockets(child: ChildProcess, sockets: ListeningSocket[]): Promise<void> {
  if (sockets.length === 0) child.send(NONE, () => {});
  for (const socket of sockets)
    await new Promise<void>((resolve) => child.send([GIVE, sockets.length], socket, {}, () => resolve()));
}

/**
 * A copy of the socket that the only web process listens on, in the process that starts it. While no process listens, as after a
 * crash, connections wait in the kernel's queue until the next one accepts them. Nothing is accepted here.
 *
 * Not for several web processes: the kernel would go on sending a part of the connections to the one that died.
 */
export class KeptSocket {
  #socket: ListeningSocket | null = null;
  #closed = false;

  /** Asks a process that listens for the copy; a process of an older version doesn't answer. */
  keep(child: ChildProcess): void {
    if (this.#socket || this.#closed || !child.connected) return;
    child.on("message", (message, socket) => {
      if (message !== COPY || !socket) return;
      if (this.#socket || this.#closed) (socket as ListeningSocket).close();
      else this.#socket = socket as ListeningSocket;
    });
    child.send(COPY, () => {});
  }

  get isThere(): boolean {
    return this.#socket !== null;
  }

  /** Gives a child the socket twice: to listen on when it can answer, and to say that it waits for its database. */
  give(child: ChildProcess): void {
    if (this.#socket) void sendSockets(child, [this.#socket, this.#socket]);
  }

  /** Before the site stops: connections that still wait would otherwise be cut, not answered. */
  close(): void {
    this.#closed = true;
    this.#socket?.close();
    this.#socket = null;
  }
}

/** Who was asked, and had not answered when nobody waited for it any more. */
const owing = new WeakSet<NodeJS.EventEmitter>();

function collect(from: NodeJS.EventEmitter, patienceMs: number): Promise<ListeningSocket[]> {
  return new Promise((resolve) => {
    const sockets: ListeningSocket[] = [];
    let count = 0;
    const take = (message: unknown, socket: ListeningSocket | undefined) => {
      const given = Array.isArray(message) && message[0] === GIVE;
      if (!given && message !== NONE) return;
      if (given) count += 1;
      // One that comes too late would stay open here, and the kernel would send visitors to it whom nobody answers.
      if (owing.has(from)) socket?.close();
      else if (socket) sockets.push(socket);
      if (given && count < Number(message[1])) return;
      clearTimeout(patience);
      owing.delete(from);
      from.off("message", take);
      resolve(sockets);
    };
    const patience = setTimeout(() => {
      owing.add(from);
      resolve(sockets);
    }, patienceMs);
    from.on("message", take);
  });
}
