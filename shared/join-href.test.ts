import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatAddress, joinHref } from "./join-href.ts";

describe("joinHref", () => {
  it("refuses every scheme that is not one of a browser or a game client", () => {
    for (const template of [
      "javascript:alert('{host}')",
      "JavaScript://{host}%0aalert(1)",
      "data:text/html,{host}",
      "http://{host}:{port}/",
      "file:///{host}",
      "ftp://{host}",
      "//{host}/",
      "{host}",
      "",
    ]) {
      assert.equal(joinHref(template, "play.example.org", 2456), null, template);
    }
    assert.equal(joinHref("{host}", "javascript:alert(1)", 1), null);
  });

  it("lets no host break out of its place", () => {
    assert.equal(
      joinHref("steam://connect/{host}:{port}", "a/../b?x=1#y z", 27015),
      "steam://connect/a%2F..%2Fb%3Fx%3D1%23y%20z:27015",
    );
    assert.equal(
      joinHref("steam://run/892970//+connect%20{host}:{port}", "h +quit $&", 1),
      "steam://run/892970//+connect%20h%20%2Bquit%20%24%26:1",
    );
  });

  it("gives none when the record does not say what the link needs", () => {
    assert.equal(joinHref(null, "play.example.org", 2456), null);
    assert.equal(joinHref("steam://connect/{host}:{port}", null, 2456), null);
    assert.equal(joinHref("steam://connect/{host}:{port}", "play.example.org", null), null);
  });

  it("fills host and port", () => {
    assert.equal(
      joinHref("steam://run/892970//+connect%20{host}:{port}", "play.example.org", 2456),
      "steam://run/892970//+connect%20play.example.org:2456",
    );
    assert.equal(joinHref("https://join.example/{host}", "10.1.2.3", null), "https://join.example/10.1.2.3");
    assert.equal(
      joinHref("steam://connect/{host}:{port}", "2001:db8::1", 27015),
      "steam://connect/[2001:db8::1]:27015",
    );
  });
});

describe("formatAddress", () => {
  it("is what players type", () => {
    assert.equal(formatAddress("play.example.org", 2456), "play.example.org:2456");
    assert.equal(formatAddress("play.example.org", null), "play.example.org");
    assert.equal(formatAddress("2001:db8::1", 25565), "[2001:db8::1]:25565");
    assert.equal(formatAddress(null, 25565), null);
    assert.equal(formatAddress("", 25565), null);
  });
});
