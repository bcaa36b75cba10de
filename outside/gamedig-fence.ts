/** Restricts gamedig's process: it reaches only the current targets and reads limited bytes from each; records whose it reads. */
import dgram from "node:dgram";
import net from "node:net";

/** One query in progress. `close` removes its target from the list, and closes gamedig's open sockets to it. */
export type Asked = {
  id: number;
  bytes: number;
  packets: number;
  /** A connection was accepted. */
  accepted: boolean;
  /** It tried to reach something other than the target. */
  strayed: boolean;
  isFlooding: boolean;
  close(): void;
};

const MOST_BYTES = 524_288;
const MOST_PACKETS = 512;

type Udp = {
  send(...args: unknown[]): void;
  emit(event: string, ...args: unknown[]): boolean;
};
type Tcp = {
  connect(...args: unknown[]): net.Socket;
  push(chunk: Buffer | null, encoding?: BufferEncoding): boolean;
};

/**
 * Closes this process's sockets to all but open targets, permanently. Returns the function that opens one. Calls `onRead` with the
 * query whose bytes come next.
 */
export function buildFence(onRead: (id: number) => void): (id: number, address: string, port: number) => Asked {
  const open = new Map<string, Set<Asked>>();
  const sockets = new Map<Set<Asked>, Set<net.Socket>>();
  const at = (address: unknown, port: unknown): Set<Asked> | undefined => open.get(`${address}:${port}`);
  const stray = (): Error => {
    // With several targets the culprit is unknown; it is an error in the list, and found when one is polled alone.
    if (open.size === 1) for (const set of open.values()) for (const asked of set) asked.strayed = true;
    return new Error("Not the target");
  };

  /** Returns false if these bytes must be discarded. */
  const take = (targets: Set<Asked>, length: number): boolean => {
    let isWanted = false;
    for (const asked of targets) {
      asked.bytes += length;
      asked.packets++;
      asked.isFlooding ||= asked.bytes > MOST_BYTES || asked.packets > MOST_PACKETS;
      if (!asked.isFlooding) isWanted = true;
    }
    const [first] = targets;
    if (isWanted && first) onRead(first.id);
    return isWanted;
  };

  const udp = dgram.Socket.prototype as unknown as Udp;
  const { send, emit } = udp;
  udp.send = function (...args) {
    const [, , , port, address] = args;
    if (!at(address, port)) throw stray();
    send.apply(this, args);
  };
  udp.emit = function (event, ...args) {
    if (event !== "message") return emit.call(this, event, ...args);
    const [packet, from] = args as [Buffer, dgram.RemoteInfo];
    const targets = at(from.address, from.port);
    return targets !== undefined && take(targets, packet.length) && emit.call(this, event, ...args);
  };

  const tcp = net.Socket.prototype as unknown as Tcp;
  const { connect } = tcp;
  tcp.connect = function (...args) {
    const given = Array.isArray(args[0]) ? args[0][0] : args[0];
    const targets = at(given?.host, given?.port);
    if (!targets) throw stray();
    const socket = connect.apply(this, args);
    sockets.get(targets)?.add(socket);
    socket.on("close", () => sockets.get(targets)?.delete(socket));
    socket.on("connect", () => {
      for (const asked of targets) asked.accepted = true;
    });
    const push = this.push;
    this.push = function (chunk, encoding) {
      if (chunk === null || take(targets, chunk.length)) return push.call(this, chunk, encoding);
      socket.destroy();
      return false;
    };
    return socket;
  };

  return (id, address, port) => {
    const key = `${address}:${port}`;
    const targets = open.get(key) ?? new Set();
    open.set(key, targets);
    if (targets.size === 0) sockets.set(targets, new Set());
    const asked: Asked = {
      id,
      bytes: 0,
      packets: 0,
      accepted: false,
      strayed: false,
      isFlooding: false,
      close() {
        targets.delete(asked);
        if (targets.size > 0) return;
        open.delete(key);
        for (const socket of sockets.get(targets) ?? []) socket.destroy();
        sockets.delete(targets);
      },
    };
    targets.add(asked);
    return asked;
  };
}
