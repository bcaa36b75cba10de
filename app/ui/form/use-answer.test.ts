/** What use-answer.ts reads of the router's own note in a location (decision 027). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryRouter, redirect } from "react-router";

test("where an action leads says so in its location, also on the page of the form itself", async () => {
  const router = createMemoryRouter([{ path: "/", action: () => redirect("/") }]);
  await router.navigate("/", { formMethod: "post", formData: new FormData() });
  assert.equal(router.state.historyAction, "REPLACE");
  assert.equal((router.state.location.state as { _isRedirect?: boolean } | null)?._isRedirect, true);
  router.dispose();
});
