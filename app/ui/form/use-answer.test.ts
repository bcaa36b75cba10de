/** What use-answer.ts and sent-forms.ts read of the router's own notes (decision 027). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemoryRouter, redirect, redirectDocument } from "react-router";

test("where an action leads says so in its location, also on the page of the form itself", async () => {
  const router = createMemoryRouter([{ path: "/", action: () => redirect("/") }]);
  await router.navigate("/", { formMethod: "post", formData: new FormData() });
  assert.equal(router.state.historyAction, "REPLACE");
  assert.equal((router.state.location.state as { _isRedirect?: boolean } | null)?._isRedirect, true);
  router.dispose();
});

test("a redirect that loads another document says so in a header", () => {
  assert.ok(redirectDocument("/").headers.has("X-Remix-Reload-Document"));
  assert.ok(!redirect("/").headers.has("X-Remix-Reload-Document"));
});
