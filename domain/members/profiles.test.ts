/** Names that members choose: what is refused, what is kept, and whose it is. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createUser } from "../accounts/users.ts";
import { findProfile, readName, updateName, updateProfile } from "./profiles.ts";

let database: TestDatabase;
const members: string[] = [];
const actorOf = (user_id: string) => ({ user_id, origin: { ip: "", user_agent: "" } });

before(async () => {
  database = await createTestDatabase();
  for (const name of ["one", "two"]) {
    const user = await createUser(database.db, { email: `${name}@example.org`, passwordHash: null, locale: "en" });
    members.push(user.id);
  }
});

after(() => database.drop());

for (const [what, name, reason] of [
  ["nothing", "", "short"],
  ["blanks", "    ", "short"],
  ["one letter", "A", "short"],
  ["33 letters", "x".repeat(33), "long"],
  ["a megabyte", "x".repeat(1e6), "long"],
  ["a line break", "Ada\nLovelace", "characters"],
  ["a null byte", "Ada\u0000", "characters"],
  ["turned writing", "Ada\u202eecalevol", "characters"],
  ["an isolate", "\u2066Ada\u2069", "characters"],
  ["a zero-width space", "Ad\u200ba", "characters"],
  ["a zero-width joiner", "Ad\u200da", "characters"],
  ["a soft hyphen", "Ad\u00ada", "characters"],
  ["a byte order mark inside", "Ad\ufeffa", "characters"],
  ["a no-break space", "Ada\u00a0L", "characters"],
  ["an ideographic space", "Ada\u3000L", "characters"],
  ["a Hangul filler", "\u3164\u3164", "characters"],
  ["a braille blank", "\u2800\u2800\u2800", "characters"],
  ["a combining joiner", "Ad\u034fa", "characters"],
  ["a tag character", "Ada\u{e0041}", "characters"],
  ["a private letter", "Ada\ue000", "characters"],
  ["half a pair", "Ada\ud800", "characters"],
  ["marks piled up", "A\u0316\u0317\u0318da", "characters"],
  ["two spaces in a row", "Ada  L", "characters"],
  ["signs alone", "!!!", "characters"],
] as const) {
  test(`a name of ${what} is refused`, () => assert.deepEqual(readName(name), { ok: false, reason }));
}

test("names of many writings are kept, composed and without blanks around them", () => {
  for (const [given, kept] of [
    ["Al", "Al"],
    ["  Ada Lovelace ", "Ada Lovelace"],
    ["Zoe\u0308", "Zoë"],
    ["Jürgen_ß-99", "Jürgen_ß-99"],
    ["Олександра", "Олександра"],
    ["山田太郎", "山田太郎"],
    ["नमस्ते", "नमस्ते"],
    ["x".repeat(32), "x".repeat(32)],
    ["𝒜𝓭𝒶".repeat(10), "𝒜𝓭𝒶".repeat(10)],
  ] as const) {
    assert.deepEqual(readName(given), { ok: true, name: kept });
  }
});

test("a name that somebody has is refused in whatever case, also in a race; the own one may change its case", async () => {
  const [one = "", two = ""] = members;
  assert.deepEqual(await updateName(database.db, actorOf(one), "Jürgen"), { ok: true, name: "Jürgen" });
  for (const name of ["Jürgen", "JÜRGEN", "ju\u0308rgen"]) {
    assert.deepEqual(await updateName(database.db, actorOf(two), name), { ok: false, reason: "taken" });
  }
  assert.deepEqual(await updateName(database.db, actorOf(one), "JÜRGEN"), { ok: true, name: "JÜRGEN" });
  const race = await Promise.all([one, two].map((id) => updateName(database.db, actorOf(id), "Both of us")));
  assert.equal(race.filter(({ ok }) => ok).length, 1);
});

test("a name is not changed where its audit row cannot be written, and a changed one has its row", async () => {
  const [one = ""] = members;
  const before = await findProfile(database.db, one);
  await database.sql`create function refuse_audit() returns trigger language plpgsql as $$ begin raise exception 'no audit'; end $$`;
  await database.sql`create trigger refuse_audit before insert on audit_events execute function refuse_audit()`;
  for (const change of [{ user_nick_name: "Never kept" }, { locale: "de" as const }])
    await assert.rejects(updateProfile(database.db, actorOf(one), change));
  await database.sql`drop function refuse_audit cascade`;
  assert.deepEqual(await findProfile(database.db, one), before);
  const rows = () => database.sql`select from audit_events where what = 'profile-changed' and actor_id = ${one}`;
  const { length } = await rows();
  assert.ok((await updateProfile(database.db, actorOf(one), { user_nick_name: "Kept", locale: "de" })).ok);
  assert.equal((await rows()).length, length + 1);
});
