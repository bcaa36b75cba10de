import assert from "node:assert/strict";
import { test } from "node:test";
import { readFormAge, sealFormMoment } from "./form-age.ts";

test("a moment that we did not seal is none", () => {
  const sealed = sealFormMoment("secret", 1000);
  for (const value of ["", "1000", sealed.replace("1000", "0100"), `${sealed}x`, sealed.replace(/.$/, "-"), "x.y"]) {
    if (value !== sealed) assert.equal(readFormAge("secret", value, 5000), null, value);
  }
  assert.equal(readFormAge("another", sealed, 5000), null);
});

test("our own tells how long ago it was", () => {
  assert.equal(readFormAge("secret", sealFormMoment("secret", 1000), 5000), 4000);
});
