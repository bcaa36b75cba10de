/** Which ports of its own machine a site keeps to itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "./config.ts";
import { metricsPortOf, ownPorts } from "./own-ports.ts";

test("one setting gives every process of a machine a port of its own", () => {
  const ports = (["collector", 1, 2, 3] as const).map((who) => metricsPortOf({ port: 9464 }, who));
  assert.deepEqual(ports, [9464, 9465, 9466, 9467]);
});

test("the site's port and those of its figures are its own", () => {
  assert.deepEqual(ownPorts(readConfig({ PORT: "3000", WEB_WORKERS: "2" })), [3000]);
  const ports = ownPorts(readConfig({ PORT: "3000", WEB_WORKERS: "2", METRICS_PORT: "19464" }));
  assert.deepEqual(ports, [3000, 19464, 19465, 19466]);
});
