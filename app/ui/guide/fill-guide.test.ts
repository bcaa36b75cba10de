import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fillGuide, fillText, fillUrl, type GuideValues } from "./fill-guide.ts";

const known: GuideValues = {
  address: "play.example.org:2456",
  host: "play.example.org",
  port: 2456,
  version: "0.219",
  name: "Valheim Vanilla",
  max: 10,
  ports: [10579, 10578, 10579],
  links: [{ name: "launcher", label: "The launcher", url: "https://example.org/client.zip" }],
};
const nothing: GuideValues = {
  ...known,
  address: null,
  host: null,
  port: null,
  version: null,
  max: null,
  ports: [],
  links: [],
};
const withLink = (url: string): GuideValues => ({
  ...known,
  links: [{ name: "launcher", label: "The launcher", url }],
});
const whole = (template: string, values: GuideValues) =>
  fillText(template, values)
    .map((piece) => piece.text)
    .join("");

describe("filling a guide", () => {
  it("runs no script: a link that is not https has no address", () => {
    for (const url of [
      "javascript:alert(1)",
      "JAVASCRIPT:alert(1)",
      " javascript:alert(1)",
      "java\nscript:alert(1)",
      "data:text/html,<script>alert(1)</script>",
      "http://example.org/",
      "//example.org/",
      "/admin",
      "/demo/../admin",
      "/demo//evil.example",
      "not an address",
    ]) {
      assert.equal(fillUrl("{link:launcher}", withLink(url)), null, url);
      assert.equal(fillUrl(url, known), null, url);
      const [piece] = fillText("{link:launcher}", withLink(url));
      assert.equal(piece?.href, "/contact", "in a text as well: one is told where to ask");
    }
  });

  it("lets no value change where a link leads", () => {
    const values = { ...known, name: "../../evil?x=1#y", host: "evil.example/@" };
    assert.equal(
      fillUrl("https://example.org/servers/{name}", values),
      "https://example.org/servers/..%2F..%2Fevil%3Fx%3D1%23y",
    );
    assert.equal(fillUrl("https://{host}/", values), null);
    assert.equal(fillUrl("{name}", { ...known, name: "javascript:alert(1)" }), null);
  });

  it("fills once: braces in a value are not filled again, dollar signs are only dollar signs", () => {
    assert.equal(
      whole("Choose {name}.", { ...known, name: "{address} $& $1 {name}" }),
      "Choose {address} $& $1 {name}.",
    );
  });

  it("keeps markup as text and drops what cannot be seen", () => {
    assert.deepEqual(fillText("{version}", { ...known, version: "<b>1\u202e\u0000\u200b.0</b>\n" }), [
      { at: 0, text: "<b>1.0</b>", value: true },
    ]);
    assert.equal(whole("{version}", { ...known, version: "x".repeat(5000) }).length, 200);
  });

  it("says in words what is not known, and shows no link without an address", () => {
    assert.equal(whole("Enter {address}.", nothing), "Enter the address (none right now).");
    assert.equal(whole("{version}", { ...known, version: "\u200b " }), "not reported yet");
    assert.equal(fillUrl("{link:launcher}", nothing), null);
    assert.equal(fillUrl("https://example.org/{version}", nothing), null);
    assert.ok(fillText("{host} {port} {version} {max}", nothing).every((piece) => !piece.value));
  });

  it("fills every known placeholder and leaves unknown braces alone", () => {
    assert.equal(
      whole("{address}|{host}|{port}|{ports}|{version}|{name}|{max}|{link:launcher}|{other}|{}", known),
      "play.example.org:2456|play.example.org|2456|10578 or 10579|0.219|Valheim Vanilla|10|The launcher|{other}|{}",
    );
    assert.deepEqual(fillText("Enter {address} there.", known), [
      { at: 0, text: "Enter ", value: false },
      { at: 6, text: "play.example.org:2456", value: true },
      { at: 15, text: " there.", value: false },
    ]);
  });

  it("makes a link of the record in the middle of a sentence", () => {
    assert.deepEqual(fillText("Take {link:launcher}.", known)[1], {
      at: 5,
      text: "The launcher",
      value: true,
      href: "https://example.org/client.zip",
    });
    assert.equal(fillUrl("{link:launcher}", withLink("/demo/launcher")), "/demo/launcher");
    assert.equal(fillUrl("{link:torrent}", known), null);
  });

  it("fills a step with its links", () => {
    const step = { title: "Get {name}", links: [{ label: "Download {version}", url: "{link:launcher}" }] };
    assert.deepEqual(fillGuide(step, known), {
      title: [
        { at: 0, text: "Get ", value: false },
        { at: 4, text: "Valheim Vanilla", value: true },
      ],
      text: [],
      links: [
        {
          label: [
            { at: 0, text: "Download ", value: false },
            { at: 9, text: "0.219", value: true },
          ],
          url: "https://example.org/client.zip",
        },
      ],
    });
  });
});
