/** A member is the same member on all machines: sessions, streams, limits, sealed things, pictures. */
import { existsSync } from "node:fs";
import path from "node:path";
import { goodPictures } from "#tests/helpers/picture-files.ts";
import { type Claims, ms } from "./claims.ts";
import { addMachine } from "./network.ts";
import { ourProgram, until } from "./programs.ts";
import { PASSWORD, type Site } from "./site.ts";
import type { Visitor } from "./visitor.ts";

const ENDS_WITHIN_MS = 2_000;
/** Longer than the limit, so that a miss is measured and not guessed. */
const WAIT_MS = 10_000;

export async function checkMembers(site: Site, claims: Claims): Promise<void> {
  await checkSessions(site, claims);
  await checkLimits(site, claims);
  await checkSeals(site, claims);
  await checkAvatars(site, claims);
}

async function checkSessions(site: Site, claims: Claims): Promise<void> {
  const [one, two] = site.webs;
  if (!one || !two) throw new Error("there are three");
  const { at } = await site.signedIn(one.door, "ada@example.org");
  const seen = await Promise.all(site.webs.map(({ door }) => at.isSignedIn(door)));
  claims.hold(
    "signed in on one, signed in on all",
    seen.every(Boolean) && seen.length === 3,
    `${seen.filter(Boolean).length} of 3 web machines`,
  );

  const afterSignOut = await untilGone(site, at, () => at.post(two.door, "/logout", {}));
  claims.hold(
    "signed out on one: session and streams end on all within 2 s",
    afterSignOut.every((took) => took <= ENDS_WITHIN_MS),
    `session and streams gone after ${afterSignOut.map(ms).join(", ")} on the three`,
  );

  const admin = await site.admin();
  const rowdy = await site.signedIn(two.door, "rowdy@example.org");
  const ban = { intent: "ban", reason: "Spoke badly", lasts: "7" };
  const afterBan = await untilGone(site, rowdy.at, () => admin.post(one.door, `/admin/people/${rowdy.user.id}`, ban));
  claims.hold(
    "banned on one: session and streams end on all within 2 s",
    afterBan.every((took) => took <= ENDS_WITHIN_MS),
    `session and streams gone after ${afterBan.map(ms).join(", ")} on the three`,
  );
}

/** Opens a stream of this member at each machine, does what ends them, and times both ends at each, in ms. */
async function untilGone(site: Site, at: Visitor, act: () => Promise<{ status: number }>): Promise<number[]> {
  // The browser that signs out forgets its cookie; this one still has it.
  const cookies = new Map(at.cookies);
  const streams = site.webs.map(({ door }) => at.stream(door, () => {}));
  await Promise.all(streams.map(({ opened }) => opened));
  const began = performance.now();
  const { status } = await act();
  if (status >= 400) throw new Error(`what should end a session was answered by ${status}`);
  const witness = site.visitor();
  for (const [name, value] of cookies) witness.cookies.set(name, value);
  return Promise.all(
    site.webs.map(async ({ door, machine }, index) => {
      const session = until(`no session at ${machine.name}`, WAIT_MS, async () => !(await witness.isSignedIn(door)));
      await Promise.all([session, streams[index]?.ended]);
      return performance.now() - began;
    }),
  );
}

async function checkLimits(site: Site, claims: Claims): Promise<void> {
  const { webs } = site;
  const doorOf = (n: number) => webs[n % webs.length]?.door ?? site.door;
  const { at: home } = await site.signedIn(doorOf(0), "target@example.org");
  await home.post(doorOf(0), "/logout", {});
  const wrong = await Promise.all(
    Array.from({ length: 11 }, (_, n) => site.signIn(site.visitor(), doorOf(n), "target@example.org", `guess ${n}`)),
  );
  const statuses = wrong.map(({ status }) => status).sort();
  claims.hold(
    "11 wrong passwords spread over three machines: the eleventh is one too many",
    statuses.filter((status) => status === 401).length === 10 && statuses.at(-1) === 429,
    `${statuses.filter((status) => status === 401).length} × 401, ${statuses.filter((status) => status === 429).length} × 429`,
  );
  const known = await site.signIn(home, doorOf(1), "target@example.org", PASSWORD);
  claims.hold(
    "a device that is known to one machine is known to the next: its owner is not locked out by those guesses",
    known.status === 302,
    `sign-in at another machine answered by ${known.status}`,
  );

  const beats: number[] = [];
  for (let n = 0; n < 33; n += 1) beats.push((await beat(site.visitor(), doorOf(n), 19, n)).status);
  claims.hold(
    "30 heartbeats a minute and token, over three machines",
    beats.slice(0, 30).every((status) => status === 204) && beats.slice(30).every((status) => status === 429),
    `${beats.filter((status) => status === 204).length} × 204, ${beats.filter((status) => status === 429).length} × 429`,
  );
}

/** One heartbeat of a reporting game server. */
export const beat = (at: Visitor, by: Site["door"], reporter: number, players: number) =>
  at.send(by, "/api/v1/heartbeat", JSON.stringify({ players, max_players: 64 }), {
    "Content-Type": "application/json",
    Authorization: `Bearer heartbeat-token-of-game-server-${reporter}`,
  });

async function checkSeals(site: Site, claims: Claims): Promise<void> {
  const [one, two] = site.webs;
  if (!one || !two) throw new Error("there are three");
  const at = site.visitor();
  const opened = /name="opened" value="([^"]+)"/.exec((await at.get(one.door, "/contact")).text)?.[1] ?? "";
  // A form that was filled within 3 seconds was filled by a program.
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  const message = { name: "Ada", email: "ada@example.org", message: "Is Valheim modded?", opened };
  const sent = await at.post(two.door, "/contact", message);
  const [stored] = await site.database.sql<{ n: number }[]>`SELECT count(*)::int AS n FROM contacts`;
  claims.hold(
    "a form that one machine sealed is taken by another",
    opened !== "" && stored?.n === 1,
    `answered by ${sent.status}, ${stored?.n} message stored`,
  );

  const machine = addMachine("web4", 24);
  const stranger = ourProgram(machine, "web", { ...site.env(machine), AUTH_SECRET: undefined });
  stranger.start();
  const code = await stranger.ended();
  claims.hold(
    "a machine without the site's secret is refused at its start, in words",
    code !== 0 && /The secret of this site is missing/.test(stranger.output()),
    `exit code ${code}, "${/The secret of this site is missing[^.]*/.exec(stranger.output())?.[0] ?? stranger.output().slice(-200)}"`,
  );
}

async function checkAvatars(site: Site, claims: Claims): Promise<void> {
  const [one] = site.webs;
  if (!one) throw new Error("there are three");
  const { at, user } = await site.signedIn(one.door, "painter@example.org");
  const form = new FormData();
  form.set("intent", "upload-avatar");
  form.set("avatar", new Blob([Uint8Array.from((await goodPictures()).png)], { type: "image/png" }), "me.png");
  const answer = await at.post(one.door, "/user/settings/profile/", form);
  const served = await Promise.all(site.webs.map(({ door }) => site.visitor().get(door, `/avatars/${user.id}.webp`)));
  const same = served.every(({ status, bytes }) => status === 200 && bytes.equals(served[0]?.bytes ?? Buffer.alloc(0)));
  const kept = site.webs.filter(({ dataDir }) => existsSync(path.join(dataDir, "buckets"))).length;
  claims.hold(
    "an avatar sent to one machine is served by all, from the store",
    answer.status === 302 && same && kept === 0,
    `${served.map(({ status, bytes }) => `${status} with ${bytes.length} bytes`).join(", ")}; ${kept} machines keep files of their own`,
  );
}
