import assert from "node:assert/strict";
import { test } from "node:test";
import { RouterContextProvider } from "react-router";
import { memberContext, siteContext } from "#web/context.ts";
import { readParticulars } from "./legal-particulars.ts";

function contextOf(role: "user" | "moderator" | "admin" | null) {
  const context = new RouterContextProvider();
  const settings = { site_name: "Spawnpoint", contact_email: "", operator_name: "Ada", court: "", liability_sum: "" };
  context.set(siteContext, { read: () => ({ settings, site_url: "https://play.example.org" }) } as never);
  context.set(memberContext, role === null ? null : ({ role } as never));
  return context;
}

test("visitors, members and moderators are not told what the operator has not given", () => {
  for (const role of [null, "user", "moderator"] as const) {
    assert.deepEqual(readParticulars(contextOf(role), ["contact_email", "operator_name", "court"]).missing, []);
  }
});

test("an admin is told what this page does without", () => {
  const { missing, particulars } = readParticulars(contextOf("admin"), ["contact_email", "operator_name", "court"]);
  assert.deepEqual(missing, ["contact_email", "court"]);
  assert.equal(particulars.operator_name, "Ada");
});
