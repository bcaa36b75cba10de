/** A change made at one web machine: when browsers at each machine have it, and when pages from memory show it. */
import { setTimeout as pause } from "node:timers/promises";
import { type Claims, ms, quantile } from "./claims.ts";
import { until } from "./programs.ts";
import type { Site } from "./site.ts";
import type { Stream, Visitor } from "./visitor.ts";

const CHANGES = 240;
const STREAMS_EACH = 4;
const ROUNDS = 3;
const MOST = 1.5;

export async function checkDelivery(site: Site, claims: Claims): Promise<void> {
  const admin = await site.admin();
  const edit = await startEditing(site, admin);
  await checkPages(site, claims, edit);

  const arrivals = site.webs.map((): number[] => []);
  let needle = "\0";
  const streams: Stream[] = [];
  for (let n = 0; n < STREAMS_EACH; n += 1) {
    // One after the other at each machine, so that no machine's streams are always read first.
    for (const [index, web] of site.webs.entries()) {
      let tail = "";
      const stream = site.visitor().stream(web.door, (text) => {
        const now = performance.timeOrigin + performance.now();
        const all = tail + text;
        tail = all.slice(-200);
        if (!all.includes(needle)) return;
        tail = "";
        arrivals[index]?.push(now);
      });
      await stream.opened;
      streams.push(stream);
    }
  }
  await pause(1_000);

  const rounds: { same: number[]; other: number[] }[] = [];
  for (let change = 0; change < CHANGES; change += 1) {
    if (change % (CHANGES / ROUNDS) === 0) rounds.push({ same: [], other: [] });
    for (const list of arrivals) list.length = 0;
    const by = change % site.webs.length;
    const name = `Beacon ${change} of ${CHANGES}`;
    needle = `"${name}"`;
    await edit(by, name);
    await until(`all streams have "${name}"`, 10_000, () => arrivals.every((list) => list.length >= STREAMS_EACH));
    const [row] = await site.database.sql<{ at: number }[]>`
      SELECT extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS at FROM gameserver WHERE server_name = ${name}`;
    for (const [index, list] of arrivals.entries()) {
      rounds.at(-1)?.[index === by ? "same" : "other"].push(...list.map((at) => at - (row?.at ?? Number.NaN)));
    }
  }
  for (const stream of streams) stream.close();

  const all = { same: rounds.flatMap(({ same }) => same), other: rounds.flatMap(({ other }) => other) };
  const ratios = rounds.map(({ same, other }) => quantile(other, 0.99) / quantile(same, 0.99));
  const ratio = quantile(ratios, 0.5);
  const figures = (values: number[]) =>
    `p50 ${ms(quantile(values, 0.5))}, p99 ${ms(quantile(values, 0.99))} (${values.length} arrivals)`;
  claims.note(`commit to browser at the machine that made the change: ${figures(all.same)}`);
  claims.note(`commit to browser at the other two machines: ${figures(all.other)}`);
  claims.hold(
    `a change reaches browsers at other machines: p99 at most ${MOST} times that at the same one`,
    ratio <= MOST,
    `${ratio.toFixed(2)} (median of ${ROUNDS} rounds: ${ratios.map((one) => one.toFixed(2)).join(", ")})`,
  );
}

async function checkPages(
  site: Site,
  claims: Claims,
  edit: (by: number, name: string) => Promise<void>,
): Promise<void> {
  const reader = site.visitor();
  const pages = ["/games/valheim", "/dashboard"];
  for (const { door } of site.webs) for (const page of pages) await reader.get(door, page);
  await edit(0, "Changed on the first");
  const took = await Promise.all(
    site.webs.flatMap(({ door, machine }) =>
      pages.map((page) =>
        until(`${page} at ${machine.name} shows the change`, 15_000, async () =>
          (await reader.get(door, page)).text.includes("Changed on the first"),
        ),
      ),
    ),
  );
  claims.hold(
    "pages kept in the memory of every machine show a change made at one, within 2 s",
    Math.max(...took) <= 2_000,
    `after ${took.map(ms).join(", ")}`,
  );
}

/** Gives a function that changes name and version of one game server by the form of the admin area, at the web machine of that index. */
export async function startEditing(site: Site, admin: Visitor): Promise<(by: number, name: string) => Promise<void>> {
  const [row] = await site.database.sql<{ server_id: number; game_id: number }[]>`
    SELECT server_id, game_id FROM gameserver WHERE adapter = 'heartbeat' AND lifecycle = 'active' ORDER BY server_id LIMIT 1`;
  if (!row) throw new Error("there is no reporter 0");
  const page = `/admin/gameservers/${row.server_id}/edit`;
  const revisionIn = (text: string) => /name="revision" value="(\d+)"/.exec(text)?.[1] ?? "";
  let revision = revisionIn((await admin.get(site.door, page)).text);
  return async (by, name) => {
    const answer = await admin.post(site.webs[by]?.door ?? site.door, page, {
      game_id: String(row.game_id),
      server_name: name,
      visibility: "public",
      lifecycle: "active",
      password_access: "none",
      adapter: "heartbeat",
      // Nobody measures it, so the stream tells what the record says.
      version: name,
      revision,
    });
    if (answer.status !== 200)
      throw new Error(`the edit was answered by ${answer.status}: ${answer.text.slice(0, 2000)}`);
    revision = revisionIn(answer.text);
  };
}
