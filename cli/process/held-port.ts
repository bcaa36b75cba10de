/**
 * Holds the site's port in the process that starts web processes. A web process listens on the held socket as a file descriptor, so
 * connections wait in the kernel's queue while it is replaced or restarted.
 */
import { lookup } from "node:dns/promises";
import { BoundSocket } from "node:net";

/** The held socket's descriptors in a web process: one for the site, one for the waiting page. */
export const SITE_DESCRIPTOR = 4;
export const WAITING_DESCRIPTOR = 5;

export class HeldPort {
  readonly port: number;
  readonly #host: string;
  readonly #shared: boolean;
  readonly #sockets = new Map<number, BoundSocket>();

  private constructor(host: string, port: number, shared: boolean) {
    const first = new BoundSocket({ host, port, reusePort: shared });
    const at = first.address();
    this.port = at.port;
    this.#host = host;
    this.#shared = shared;
    this.#sockets.set(shared ? 1 : 0, first);
  }

  /**
   * Binds the port, without listening.
   * @param shared several workers listen there, each on a socket of its own
   * @returns undefined on Windows, where a process can't listen on a descriptor
   */
  static async open({ host, port }: { host: string; port: number }, shared: boolean): Promise<HeldPort | undefined> {
    if (process.platform === "win32") return undefined;
    const { address } = await lookup(host);
    return new HeldPort(address, port, shared);
  }

  /** Lists a worker's descriptors, for the end of `stdio`; 0 is the only web process. */
  descriptors(worker: number): number[] {
    const socket =
      this.#sockets.get(worker) ?? new BoundSocket({ host: this.#host, port: this.port, reusePort: this.#shared });
    this.#sockets.set(worker, socket);
    return [socket.fd(), socket.fd()];
  }

  /** Closes a crashed worker's socket: the kernel sends new connections to the others. */
  drop(worker: number): void {
    this.#sockets.get(worker)?.close();
    this.#sockets.delete(worker);
  }

  /** Call before the web processes stop: they then answer the connections that wait. */
  close(): void {
    for (const worker of this.#sockets.keys()) this.drop(worker);
  }
}
