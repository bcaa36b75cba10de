/** Which parts of a database's error quote values, and what it costs to find them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { listSuperlinear } from "#tests/helpers/growth.ts";
import { quotedIn } from "./quoted-values.ts";

const ofPostgres = (message: string) => Object.assign(new Error(message), { severity: "ERROR" });

test("the value at the end of an error of Postgres is quoted, with all that it holds; that of another error is not", () => {
  for (const [message, quoted] of [
    ['invalid input syntax for type uuid: "ada"', [': "ada"']],
    ['invalid input syntax for type uuid: "a": "b\n"', [': "a": "b\n"']],
    ['invalid input syntax: "', []],
    ['column "name" does not exist', []],
    ['syntax error at "x": "y" of it', []],
  ] as const)
    assert.deepEqual(quotedIn(ofPostgres(message)), quoted, message);
  assert.deepEqual(quotedIn(new Error('not read: "ada"')), []);
  assert.deepEqual(quotedIn(new Error("failed", { cause: ofPostgres('not read: "ada"') })), [': "ada"']);
});

test("an error costs as much as it is long", () => {
  const read = (message: string) => quotedIn(ofPostgres(message));
  assert.deepEqual(listSuperlinear(read, 4000, [': "', ': "x', '"', (length) => `${': "'.repeat(length / 3)}\n`]), []);
});
