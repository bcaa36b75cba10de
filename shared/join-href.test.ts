import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatAddress, type JoinFacts, joinHref } from "./join-href.ts";

const to = (host: string | null, port: number | null, more: Partial<JoinFacts> = {}): JoinFacts => ({
  host,
  port,
  name: "Blocks",
  password: null,
  ...more,
});

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
      assert.equal(joinHref(template, to("play.example.org", 2456)), null, template);
    }
    assert.equal(joinHref("{host}", to("javascript:alert(1)", 1)), null);
  });

  it("lets no host break out of its place", () => {
    assert.equal(
      joinHref("steam://connect/{host}:{port}", to("a/../b?x=1#y z", 27015)),
      "steam://connect/a%2F..%2Fb%3Fx%3D1%23y%20z:27015",
    );
    assert.equal(
      joinHref("steam://run/892970//+connect%20{host}:{port}", to("h +quit $&", 1)),
      "steam://run/892970//+connect%20h%20%2Bquit%20%24%26:1",
    );
  });

  it("gives none when the record does not say what the link needs", () => {
    assert.equal(joinHref(null, to("play.example.org", 2456)), null);
    assert.equal(joinHref("steam://connect/{host}:{port}", to(null, 2456)), null);
    assert.equal(joinHref("steam://connect/{host}:{port}", to("play.example.org", null)), null);
  });

  it("gives none where a placeholder is none of ours", () => {
    for (const template of ["steam://connect/{host}:{port}/{pasword}", "steam://connect/{adress}", "steam://{host}{"])
      assert.equal(joinHref(template, to("play.example.org", 1)), null, template);
  });

  it("lets neither name nor password break out of their places", () => {
    const bedrock = "minecraft://?addExternalServer={name}|{host}:{port}";
    assert.equal(
      joinHref(bedrock, to("play.example.org", 19132, { name: "A|evil.example:1 & {host}#\u{1f600}\ud800" })),
      "minecraft://?addExternalServer=A%20evil.example%3A1%20%26%20%7Bhost%7D%23%F0%9F%98%80%EF%BF%BD|play.example.org:19132",
    );
    assert.equal(
      joinHref("steam://connect/{host}:{port}/{password}", to("play.example.org", 1, { password: "a/b?$&{port} #" })),
      "steam://connect/play.example.org:1/a%2Fb%3F%24%26%7Bport%7D%20%23",
    );
  });

  it("drops the password with what introduces it where there is none for the reader", () => {
    for (const [template, without, withIt] of [
      ["steam://connect/{host}:{port}/{password}", "steam://connect/h:1", "steam://connect/h:1/p"],
      [
        "steam://run/892970//+connect%20{host}:{port}%20+password%20{password}",
        "steam://run/892970//+connect%20h:1",
        "steam://run/892970//+connect%20h:1%20+password%20p",
      ],
      [
        "steam://run/4//-connect={host}%20-password={password}%20-x",
        "steam://run/4//-connect=h%20-x",
        "steam://run/4//-connect=h%20-password=p%20-x",
      ],
      ["ts3server://{host}?port={port}&password={password}", "ts3server://h?port=1", "ts3server://h?port=1&password=p"],
    ] as const) {
      assert.equal(joinHref(template, to("h", 1)), without);
      assert.equal(joinHref(template, to("h", 1, { password: "p" })), withIt);
    }
  });

  it("fills host and port", () => {
    assert.equal(
      joinHref("steam://run/892970//+connect%20{host}:{port}", to("play.example.org", 2456)),
      "steam://run/892970//+connect%20play.example.org:2456",
    );
    assert.equal(joinHref("https://join.example/{host}", to("10.1.2.3", null)), "https://join.example/10.1.2.3");
    assert.equal(
      joinHref("steam://connect/{host}:{port}", to("2001:db8::1", 27015)),
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
