import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { drawCurve, packCurve } from "./draw-curve.ts";

describe("a curve", () => {
  it("is none where nobody was ever counted", () => {
    assert.equal(packCurve(undefined), null);
    assert.equal(packCurve([]), null);
    assert.equal(packCurve([null, "down", null]), null);
  });

  it("packs what is known as heights of the fullest, and keeps gaps and down times apart from nobody", () => {
    assert.deepEqual(packCurve([0, null, "down", 35, 17.4]), { line: "0.!zh", low: 0, high: 35 });
  });

  it("does not make a crowd of one player", () => {
    assert.deepEqual(packCurve([1, 0, 0]), { line: "900", low: 0, high: 1 });
  });

  it("breaks its line at gaps, and draws a single point as one", () => {
    assert.deepEqual(drawCurve({ line: "0z.5!!", low: 0, high: 35 }), {
      line: "M0 35L1 0M3 30L3 30",
      area: "M0 35L0 35L1 0V35",
      down: "M4 35H5",
      unknown: "M2 35H2",
    });
  });
});
