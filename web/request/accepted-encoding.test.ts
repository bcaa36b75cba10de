/** What a browser does not take is not sent to it, whichever way it writes what it takes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accepts, encodingFor } from "./accepted-encoding.ts";

test("an encoding is taken where it is named and not refused, in any case", () => {
  for (const none of [undefined, "", "identity", "gzip;q=0", "GZIP; Q=0.000", "br, gzip ; q=0", "gzipped"])
    assert.equal(accepts(none, "gzip"), false, String(none));
  for (const named of ["gzip", "GZip", "br, gzip", "gzip;q=0.5", "gzip;q=1.0,br", "br;q=0, gzip"])
    assert.equal(accepts(named, "gzip"), true, named);
});

test("the smallest one that is taken is chosen", () => {
  assert.equal(encodingFor("gzip, deflate, BR"), "br");
  assert.equal(encodingFor("gzip, br;q=0"), "gzip");
  assert.equal(encodingFor(undefined), "identity");
});
