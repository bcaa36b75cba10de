/** What is photographed, and in which order: a lively site, then one that nobody has filled yet, then one that is bursting. */
import { valuesOf } from "#tests/helpers/values-of.ts";
import { listPages } from "../e2e/access-map.ts";
import { type AccessSite, startAccessSite } from "../e2e/access-site.ts";
import { STATES } from "../e2e/access-states.ts";
import { type FormSite, startFormSite } from "../e2e/form-site.ts";
import type { Shot, Theme } from "./camera.ts";
import { addHistory, makeBare, makeEmpty, makeFull, waitUntilAsked } from "./content.ts";
import { listFaces } from "./faces.ts";
import { LOADING } from "./loading.ts";
import { addTellings, listTellings, removeTellings, UNTOLD } from "./tellings.ts";

const GERMAN: Shot["at"] = [
  [1440, ["light"]],
  [360, ["dark"]],
];

type Stage = {
  site: AccessSite;
  shots: Shot[];
};

/** Each stage with its site, which ends when the next one is asked for. `only`: as a name begins; other stages are left out. */
export async function* stages(only = ""): AsyncGenerator<Stage> {
  const asked = only.replace(/^german-/, "");
  const isQuiet = /^(bare|empty|full)/.test(asked);
  const isTelling = asked.startsWith("tell");
  if (!isQuiet && !isTelling) yield* livelyStages();
  if (isTelling || only === "") yield* tellingStages();
  if (isQuiet || only === "") yield* quietStages((group) => asked === "" || asked.startsWith(group));
}

async function* livelyStages(): AsyncGenerator<Stage> {
  const lively = await startAccessSite();
  try {
    await Promise.all([addHistory(lively.sql), waitUntilAsked(lively.sql)]);
    const pages = await listShots(lively);
    // Those of everybody last: the site reads the curves of a day every two minutes, and the history is new to it.
    const { inside, outside } = Object.groupBy(pages, ({ who }) => (who === "nobody" ? "outside" : "inside"));
    yield { site: lively, shots: inBothLanguages(inside) };
    yield { site: lively, shots: [...LOADING, ...listStates(lively)] };
    yield { site: lively, shots: [...inBothLanguages(outside), ...listFaces(lively)] };
  } finally {
    await lively.stop();
  }
}

/** What people are told, and where: much of it, then nothing. */
async function* tellingStages(): AsyncGenerator<Stage> {
  const site = await startFormSite();
  try {
    await addTellings(site);
    yield { site, shots: inBothLanguages(listTellings(site)) };
    await removeTellings(site.sql);
    yield { site, shots: inBothLanguages(UNTOLD) };
  } finally {
    await site.stop();
  }
}

async function* quietStages(wants: (group: string) => boolean): AsyncGenerator<Stage> {
  const quiet = await startFormSite();
  try {
    if (wants("bare")) yield* bareStages(quiet);
    await makeEmpty(quiet.sql);
    if (wants("empty")) yield { site: quiet, shots: named("empty", quiet, EMPTY) };
    if (!wants("full")) return;
    await makeFull(quiet);
    yield { site: quiet, shots: named("full", quiet, FULL) };
  } finally {
    await quiet.stop();
  }
}

/** Before anybody has chosen a game: first without an admin, who comes by the link that is printed. */
async function* bareStages(site: FormSite): AsyncGenerator<Stage> {
  const { sql, tokens } = site;
  await makeBare(sql);
  const admins = await sql`delete from roles where role = 'admin' returning *`;
  yield { site, shots: inBothLanguages([{ name: "bare--setup", who: "nobody", address: `/setup/${tokens.setup}` }]) };
  for (const admin of admins) await sql`insert into roles ${valuesOf(admin)}`;
  yield { site, shots: named("bare", site, BARE) };
}

async function listShots(site: AccessSite): Promise<Shot[]> {
  const pages = await listPages(site.values);
  const shots = pages.map(
    ({ who, address }): Shot => ({ name: `${GROUPS[who]}--${nameOf(address, site)}`, who, address }),
  );
  // The map counts it to everybody's, but it shows something only to members.
  return shots.map((shot) => (shot.address === "/logout" ? { ...shot, who: "member" } : shot));
}

const GROUPS = { nobody: "public", member: "account", admin: "admin" };

const inBothLanguages = (shots: Shot[] = []): Shot[] => [...shots, ...shots.map(inGerman)];

const inGerman = (shot: Shot): Shot => ({
  ...shot,
  name: `german-${shot.name}`,
  address: `/de${shot.address.replace(/\/$/, "")}`,
  at: GERMAN,
});

function listStates(site: AccessSite): Shot[] {
  // A lost connection is back before six pictures are taken; it is photographed among what loads.
  return STATES.filter(({ name }) => name !== "connection lost").map(({ who, name, at, act, widths }) => ({
    name: `state--${GROUPS[who]}-${fileName(name)}`,
    who,
    address: at(site),
    act,
    ...(widths ? { at: widths.map((width) => [width < 600 ? 360 : 1440, BOTH] as const) } : {}),
  }));
}

const BOTH: readonly Theme[] = ["dark", "light"];

type Place = readonly [who: Shot["who"], address: (values: AccessSite["values"]) => string];

const BARE: readonly Place[] = [
  ["nobody", () => "/"],
  ["nobody", () => "/dashboard"],
  ["admin", () => "/admin/dashboard"],
];

const EMPTY: readonly Place[] = [
  ["nobody", () => "/"],
  ["nobody", () => "/dashboard"],
  ["nobody", () => "/games/minecraft"],
  ["nobody", ({ serverId }) => `/servers/${serverId}`],
  ["admin", () => "/admin/dashboard"],
  ["admin", () => "/admin/gameservers"],
  ["admin", () => "/admin/messages"],
  ["admin", () => "/admin/people/blocked"],
  ["admin", () => "/admin/audit"],
  ["admin", () => "/admin/settings/invitations"],
];

const FULL: readonly Place[] = [
  ["nobody", () => "/"],
  ["nobody", () => "/dashboard"],
  ["nobody", () => "/games/minecraft"],
  ["nobody", ({ serverId }) => `/servers/${serverId}`],
  ["member", () => "/user/settings/profile"],
  ["admin", () => "/admin/dashboard"],
  ["admin", () => "/admin/games"],
  ["admin", () => "/admin/gameservers"],
  ["admin", ({ serverId }) => `/admin/gameservers/${serverId}/edit`],
  ["admin", () => "/admin/messages"],
  ["admin", ({ contactId }) => `/admin/messages/${contactId}`],
  ["admin", () => "/admin/people"],
  ["admin", ({ userId }) => `/admin/people/${userId}`],
  ["admin", () => "/admin/audit"],
];

const named = (group: string, site: AccessSite, places: readonly Place[]): Shot[] =>
  inBothLanguages(
    places.map(([who, at]) => ({ name: `${group}--${nameOf(at(site.values), site)}`, who, address: at(site.values) })),
  );

/** The same in every run: what an address names is different each time. */
function nameOf(address: string, { values }: AccessSite): string {
  const parts = address
    .split("/")
    .map((part) => Object.entries(values).find(([, value]) => value === part)?.[0] ?? part);
  return fileName(parts.join("/"));
}

const fileName = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "") || "home";
