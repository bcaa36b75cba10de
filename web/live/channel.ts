// Encodes the live stream's events for one audience. Clients with the same topics form a group: a change is encoded once per
// topic, assembled once per group, and costs nothing without viewers. The newest changes are buffered for browsers that
// connect a little late.
import type { Audience } from "#domain/game-servers/game-servers.ts";
import { gameOf, SITE_TOPIC, serverOf, serverTopic, type Topic } from "#shared/live/live-topics.ts";
import type { LiveHub } from "./hub.ts";
import { changedFields } from "./live-fields.ts";
import type { LiveChange } from "./site-view.ts";

/** Changes buffered for browsers whose page or last event is a little older. */
const KEPT_CHANGES = 256;
const MAX_KEPT_BYTES = 1024 * 1024;

/** The key of a program without topics, which gets everything. */
const EVERYTHING = "*";

/** Clients with the same topics; `topics` null: everything. */
export type Group<Member> = { readonly topics: readonly Topic[] | null; readonly members: Set<Member> };

type Kept = { seq: number; whole: boolean; pieces: Map<Topic, string>; bytes: number; everything: () => Buffer };

/** Makes the channel; pass it every change of the hub in order. */
export function createLiveChannel<Member>(hub: LiveHub, audience: Audience) {
  const groups = new Map<string, Group<Member>>();
  const byTopic = new Map<Topic, Set<Group<Member>>>();
  /** The newest snapshot of a group, until the next change. */
  let snapshots = new Map<Group<Member>, Buffer>();
  let snapshotsAt = -1;
  const kept: Kept[] = [];
  let keptBytes = 0;

  /** Encodes the state of these topics as one event; null: of everything. */
  function snapshotOf(topics: readonly Topic[] | null): Buffer {
    const site = hub.read(audience);
    const { epoch, seq, catalog, delayed_since } = site;
    const position = { type: "snapshot", epoch, seq, catalog };
    if (topics === null) {
      const asked = Object.fromEntries([...site.asked].map(([id, { at }]) => [id, at]));
      const games = site.games.map(({ game_id }) => game_id);
      const totals = totalsIn(site, true, games);
      const event = { ...position, rows: site.live, asked, totals, delayed_since };
      return encodeEvent("snapshot", event, `${epoch}.${seq}.${catalog}`);
    }
    const servers = topics.flatMap((topic) => serverOf(topic) ?? []);
    const rows = servers.flatMap((id) => site.rowOf(id) ?? []);
    const there = new Set(rows.map(({ server_id }) => server_id));
    const gone = servers.filter((id) => !there.has(id));
    return encodeEvent("snapshot", {
      ...position,
      rows,
      ...(gone.length > 0 && { gone }),
      asked: askedIn(site, there),
      totals: totalsIn(
        site,
        topics.includes(SITE_TOPIC),
        topics.flatMap((topic) => gameOf(topic) ?? []),
      ),
      delayed_since,
    });
  }

  function snapshot(group: Group<Member>): Buffer {
    const { seq } = hub.read(audience);
    if (snapshotsAt !== seq) {
      snapshots = new Map();
      snapshotsAt = seq;
    }
    const bytes = snapshots.get(group) ?? snapshotOf(group.topics);
    snapshots.set(group, bytes);
    return bytes;
  }

  /** Gets the same state, encoded once per group. */
  function stateOf(topics: readonly Topic[] | null): Buffer {
    const group = groups.get(topics === null ? EVERYTHING : topics.join());
    return group ? snapshot(group) : snapshotOf(topics);
  }

  function keep(change: LiveChange): Kept {
    const { epoch, catalog } = hub.read(audience);
    const { seq, whole, rows, totals } = change;
    const pieces = new Map<Topic, string>();
    for (const { now, before } of rows) {
      const fields = before ? { server_id: now.server_id, ...changedFields(now, before) } : now;
      pieces.set(serverTopic(now.server_id), JSON.stringify(fields));
    }
    for (const { topic, now, before } of totals) pieces.set(topic, JSON.stringify(changedFields(now, before)));
    let encoded: Buffer | null = null;
    const entry: Kept = {
      seq,
      whole,
      pieces,
      bytes: [...pieces.values()].reduce((sum, { length }) => sum + length, 0),
      everything() {
        const all = { type: "delta", epoch, seq, rows: rows.map(({ now }) => now), ...wholeTotals(totals) };
        encoded ??= encodeEvent("delta", all, `${epoch}.${seq}.${catalog}`);
        return encoded;
      },
    };
    kept.push(entry);
    keptBytes += entry.bytes;
    while (kept.length > KEPT_CHANGES || (keptBytes > MAX_KEPT_BYTES && kept.length > 1)) {
      keptBytes -= kept.shift()?.bytes ?? 0;
    }
    return entry;
  }

  return {
    snapshot,

    /** Adds a client to the group of its topics. */
    join(topics: readonly Topic[] | null, member: Member): Group<Member> {
      const key = topics === null ? EVERYTHING : topics.join();
      let group = groups.get(key);
      if (!group) {
        group = { topics, members: new Set() };
        groups.set(key, group);
        for (const topic of topics ?? [EVERYTHING]) byTopic.getOrInsertComputed(topic, () => new Set()).add(group);
      }
      group.members.add(member);
      return group;
    },

    /** Removes a client again. */
    leave(group: Group<Member>, member: Member): void {
      group.members.delete(member);
      if (group.members.size > 0) return;
      if (!groups.delete(group.topics === null ? EVERYTHING : group.topics.join())) return;
      snapshots.delete(group);
      for (const topic of group.topics ?? [EVERYTHING]) {
        const showing = byTopic.get(topic);
        showing?.delete(group);
        if (showing?.size === 0) byTopic.delete(topic);
      }
    },

    /** Encodes and buffers a change; returns the bytes for each group that it concerns. */
    take(change: LiveChange): Map<Group<Member>, Buffer> {
      const entry = keep(change);
      const out = new Map<Group<Member>, Buffer>();
      if (change.whole) {
        for (const group of groups.values()) out.set(group, snapshot(group));
        return out;
      }
      for (const group of byTopic.get(EVERYTHING) ?? []) out.set(group, entry.everything());
      const about = new Map<Group<Member>, Topic[]>();
      for (const topic of entry.pieces.keys()) {
        for (const group of byTopic.get(topic) ?? []) about.getOrInsertComputed(group, () => []).push(topic);
      }
      for (const [group, topics] of about) out.set(group, encodeDelta(entry, topics));
      return out;
    },

    /** Encodes a heartbeat, with the last poll times of the group's game servers. */
    pulse(group: Group<Member>): Buffer {
      const site = hub.read(audience);
      const { topics } = group;
      const asked =
        topics === null
          ? Object.fromEntries([...site.asked].map(([id, { at }]) => [id, at]))
          : askedIn(
              site,
              topics.flatMap((topic) => serverOf(topic) ?? []).filter((id) => site.rowOf(id)),
            );
      return Buffer.concat([HEARTBEAT, encodeEvent("pulse", { type: "pulse", asked })]);
    },

    /** Checks whether this audience may see the subject of a topic. */
    knows(topic: Topic): boolean {
      const site = hub.read(audience);
      const [server, game] = [serverOf(topic), gameOf(topic)];
      if (server !== null) return site.hasServer(server);
      return game === null || site.totalsOf(game) !== undefined;
    },

    /**
     * Gets the missing events of these topics for a browser at position `since`, written epoch.seq.catalog: the later
     * changes, or the whole state for any other position (another process, too long ago, a page for another audience).
     */
    missed(since: string | null, topics: readonly Topic[] | null): Buffer[] {
      const site = hub.read(audience);
      const [epoch, number, catalog] = since?.split(".") ?? [];
      const seq = Number(number);
      if (epoch !== site.epoch || catalog !== site.catalog || !Number.isInteger(seq) || seq > site.seq)
        return [stateOf(topics)];
      const after = kept.filter((change) => change.seq > seq);
      if (after.length !== site.seq - seq || after.some((change) => change.whole)) return [stateOf(topics)];
      if (topics === null) return after.map((change) => change.everything());
      return after.flatMap((entry) => {
        const about = topics.filter((topic) => entry.pieces.has(topic));
        return about.length > 0 ? [encodeDelta(entry, about)] : [];
      });
    },
  };
}

type Site = ReturnType<LiveHub["read"]>;

const HEARTBEAT = Buffer.from(": heartbeat\n\n");

function askedIn(site: Site, ids: Iterable<number>): Record<number, string | null> {
  return Object.fromEntries([...ids].map((id) => [id, site.askedOf(id)]));
}

function totalsIn(site: Site, ofSite: boolean, games: readonly number[]) {
  const ofGames = games.flatMap((id) => {
    const totals = site.totalsOf(id);
    return totals ? [[id, totals] as const] : [];
  });
  return { ...(ofSite && { site: site.totals() }), ...(ofGames.length > 0 && { games: Object.fromEntries(ofGames) }) };
}

function wholeTotals(changes: LiveChange["totals"]) {
  if (changes.length === 0) return {};
  const site = changes.find(({ topic }) => topic === SITE_TOPIC)?.now;
  const games = changes.flatMap(({ topic, now }) => {
    const id = gameOf(topic);
    return id === null ? [] : [[id, now] as const];
  });
  return { totals: { ...(site && { site }), ...(games.length > 0 && { games: Object.fromEntries(games) }) } };
}

/** Encodes the part of a change that concerns these topics from the encoded pieces. */
function encodeDelta({ seq, pieces }: Kept, topics: readonly Topic[]): Buffer {
  const rows: string[] = [];
  const games: string[] = [];
  let site = "";
  for (const topic of topics) {
    const piece = pieces.get(topic) ?? "{}";
    const game = gameOf(topic);
    if (game !== null) games.push(`"${game}":${piece}`);
    else if (topic === SITE_TOPIC) site = `"site":${piece}`;
    else rows.push(piece);
  }
  const totals = [...(site ? [site] : []), ...(games.length > 0 ? [`"games":{${games.join()}}`] : [])];
  const parts = [
    `"seq":${seq}`,
    ...(rows.length > 0 ? [`"rows":[${rows.join()}]`] : []),
    ...(totals.length > 0 ? [`"totals":{${totals.join()}}`] : []),
  ];
  return Buffer.from(`event: delta\ndata: {${parts.join()}}\n\n`);
}

function encodeEvent(type: string, data: object, id?: string): Buffer {
  return Buffer.from(`event: ${type}\n${id ? `id: ${id}\n` : ""}data: ${JSON.stringify(data)}\n\n`);
}
