// The live stream's events for one audience: each encoded once, the newest kept for browsers that come a little late.
import type { Audience } from "#domain/game-servers/game-servers.ts";
import type { LiveChange, LiveHub } from "./hub.ts";

/** Changes kept for browsers whose page or last event is a little older. */
const KEPT_CHANGES = 256;
const MAX_KEPT_BYTES = 1024 * 1024;

/** Makes the channel; hand it every change of the hub in order. */
export function createLiveChannel(hub: LiveHub, audience: Audience) {
  const kept: { seq: number; bytes: Buffer; whole: boolean }[] = [];
  let keptBytes = 0;
  let encoded: { seq: number; bytes: Buffer } | null = null;

  const asked = () => Object.fromEntries([...hub.read(audience).asked].map(([id, { at }]) => [id, at]));

  /** The whole state as one event. */
  function snapshot(): Buffer {
    const { epoch, seq, catalog, live, delayed_since } = hub.read(audience);
    if (encoded?.seq !== seq) {
      const data = { epoch, seq, catalog, rows: live, asked: asked(), delayed_since };
      encoded = { seq, bytes: encodeEvent("snapshot", data, `${epoch}.${seq}`) };
    }
    return encoded.bytes;
  }

  return {
    snapshot,

    /** Encodes a change, keeps it, and returns what every reader gets. A change that this audience may not see is empty. */
    take(change: LiveChange): Buffer {
      const { seq, whole } = change;
      const { epoch } = hub.read(audience);
      const bytes = whole
        ? snapshot()
        : encodeEvent("delta", { epoch, seq, rows: change.rowsFor(audience) }, `${epoch}.${seq}`);
      kept.push({ seq, bytes, whole });
      keptBytes += bytes.length;
      while (kept.length > KEPT_CHANGES || (keptBytes > MAX_KEPT_BYTES && kept.length > 1)) {
        keptBytes -= kept.shift()?.bytes.length ?? 0;
      }
      return bytes;
    },

    /** A sign of life, with the times at which each game server was last asked. */
    pulse: (): Buffer => Buffer.concat([Buffer.from(": heartbeat\n\n"), encodeEvent("pulse", { asked: asked() })]),

    /**
     * What a browser still needs that stands at `since`, written epoch.seq.catalog: the changes after it, or the whole
     * state when it stands elsewhere (another process, too long ago, a page for another audience).
     */
    missed(since: string | null): Buffer[] {
      const site = hub.read(audience);
      const [epoch, number, catalog] = since?.split(".") ?? [];
      const seq = Number(number);
      if (epoch !== site.epoch || catalog !== site.catalog || !Number.isInteger(seq) || seq > site.seq)
        return [snapshot()];
      const after = kept.filter((change) => change.seq > seq);
      if (after.length !== site.seq - seq || after.some((change) => change.whole)) return [snapshot()];
      return after.map((change) => change.bytes);
    },
  };
}

function encodeEvent(type: string, data: object, id?: string): Buffer {
  return Buffer.from(`event: ${type}\n${id ? `id: ${id}\n` : ""}data: ${JSON.stringify({ type, ...data })}\n\n`);
}
