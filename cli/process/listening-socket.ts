/**
 * Passes the socket of a web process on to its successor, so that no client is refused meanwhile: both accept from the same kernel
 * queue, and closing it in one loses no connection.
 */
import type { ChildProcess, SendHandle } from "node:child_process";
import type { Server } from "node:net";

/** Messages between a process and its children. */
const ASK = "spawnpoint:hand-over";
const GIVE = "spawnpoint:listening";
const NONE = "spawnpoint:nothing-listens";
const COPY = "spawnpoint:copy";

/** A listening kernel socket, as Node passes it on: accepts nothing until a server listens on it. */
export type ListeningSocket = SendHandle & { close(): void };

/** A busy machine answers late; a request on behalf of another process started a moment earlier. */
const PATIENCE_MS = 30_000;
const ON_BEHALF_MS = 20_000;

/** Returns a listening server's socket, for `send` of a channel and `listen` of a server (Node: "anything with a handle"). */
export function socketOf(server: Server): ListeningSocket | null {
  return (server as Server & { _handle: ListeningSocket | null })._handle;
}

/**
 * In a service: sends its sockets to its parent on request.
 * @param onHandedOn called when they were requested for a successor, not for a copy
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

/** In a successor: returns the sockets it is given; none after a timeout. */
export const takeGiven = (): Promise<ListeningSocket[]> => collect(process, PATIENCE_MS);

/**
 * Requests a child's listening sockets; none if it doesn't answer.
 * @param onBehalf this process's own answer waits for this one
 */
export async function askForSockets(child: ChildProcess, onBehalf = false): Promise<ListeningSocket[]> {
  if (!child.connected || owing.has(child)) return [];
  const given = collect(child, onBehalf ? ON_BEHALF_MS : PATIENCE_MS);
  child.send(ASK, () => {});
  return given;
}

/** Sends sockets to a child, and closes them here. */
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
 * Copy of the only web process's socket, in its parent. While no process listens, as after a crash, connections wait in the
 * kernel's queue until the next one accepts them. Accepts nothing itself.
 *
 * Not for several web processes: the kernel would keep sending some connections to the crashed one.
 */
export class KeptSocket {
  #socket: ListeningSocket | null = null;
  #closed = false;

  /** Requests the copy from a listening process; one of an older version doesn't answer. */
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

  /** Gives a child the socket twice: to listen on when ready, and for the waiting page until then. */
  give(child: ChildProcess): void {
    if (this.#socket) void sendSockets(child, [this.#socket, this.#socket]);
  }

  /** Call before the site stops: waiting connections would be cut, not answered. */
  close(): void {
    this.#closed = true;
    this.#socket?.close();
    this.#socket = null;
  }
}

/** Processes whose requested answer timed out. */
const owing = new WeakSet<NodeJS.EventEmitter>();

function collect(from: NodeJS.EventEmitter, patienceMs: number): Promise<ListeningSocket[]> {
  return new Promise((resolve) => {
    const sockets: ListeningSocket[] = [];
    let count = 0;
    const take = (message: unknown, socket: ListeningSocket | undefined) => {
      const given = Array.isArray(message) && message[0] === GIVE;
      if (!given && message !== NONE) return;
      if (given) count += 1;
      // A late socket would stay open here, and the kernel would send visitors to it without an answer.
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
