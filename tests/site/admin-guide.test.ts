/** What admins do to a game's guide, its steps and the boxes beside them, through the front door: refusals first. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { seedDemoContent } from "#demo/demo-content.ts";
import { type AccountSite, startAccountSite } from "../helpers/account-site.ts";
import type { Browser } from "../helpers/browser.ts";
import { until } from "../helpers/until.ts";

describe("guides in the admin area", () => {
  let site: AccountSite;
  let admin: Browser;
  const visitor = () => site.browser();

  before(async () => {
    site = await startAccountSite();
    await seedDemoContent(site.database.db);
    await site.sql`update gameserver set visibility = 'public'`;
    const { at } = await site.signedInAdmin("admin@example.org");
    admin = at;
  });
  after(() => site.stop());

  /** A game that nobody has guided to, and the revision of its form. */
  async function create(game_name: string) {
    const answer = await admin.post("/admin/games/create", { game_name, game_acronym: "X" });
    const id = Number(/\/admin\/games\/(\d+)\/edit/.exec(answer.location ?? "")?.[1]);
    const at = `/admin/games/${id}/guide`;
    return { id, at, revision: revisionIn((await admin.get(at)).text) };
  }
  const revisionIn = (text: string) => /name="revision" value="(\d+)"/.exec(text)?.[1] ?? "";
  const stored = async (id: number) => {
    const [row] = await site.sql`select guide, guide_boxes from games where game_id = ${id}`;
    return { guide: row?.guide, guide_boxes: row?.guide_boxes };
  };
  const post = (at: string, fields: Record<string, string>) => admin.post(at, { lists: "steps,boxes", ...fields });
  const NOTHING = { guide: [], guide_boxes: [] };
  const item = (at: string, title: string, more: Record<string, string> = {}) => ({
    [`${at}.title_en`]: title,
    [`${at}.title_de`]: "",
    [`${at}.text_en`]: "Press {address}",
    [`${at}.text_de`]: "",
    ...Object.fromEntries(Object.entries(more).map(([name, value]) => [`${at}.${name}`, value])),
  });
  const link = (place: number, url: string, label_en: string, label_de = "") => ({
    [`links.${place}.url`]: url,
    [`links.${place}.label_en`]: label_en,
    [`links.${place}.label_de`]: label_de,
  });
  /** Which field or button the answer leads to, by its name or its value. */
  const focusIn = (text: string) => {
    const tag = [...text.matchAll(/<(?:input|button)\b[^>]*>/g)].find(([tag]) => /\bautofocus\b/i.test(tag))?.[0] ?? "";
    return (/name="change"/.test(tag) ? /value="([^"]*)"/ : /name="([^"]*)"/).exec(tag)?.[1];
  };

  test("a form from before there were boxes is refused, and empties nothing", async () => {
    const { id, at, revision } = await create("Old");
    assert.equal((await post(at, { revision, ...item("boxes.0", "Box") })).status, 200);
    const { text } = await admin.get(at);
    for (const fields of [{ "0.title_en": "Step", "0.url": "" }, item("steps.0", "Step")])
      assert.equal((await admin.post(at, { revision: revisionIn(text), ...fields })).status, 400);
    assert.equal((await stored(id)).guide_boxes.length, 1);
  });

  test("links that are not https are refused, in steps and in boxes, and what was typed stays", async () => {
    const { id, at, revision } = await create("Linked");
    for (const url of [
      "javascript:alert(1)",
      "http://plain.example",
      "data:text/html,x",
      "https:javascript:1",
      "//x.example",
      "{link:launcher}x",
      " steam://x",
    ])
      for (const where of ["steps.0", "boxes.0"]) {
        const answer = await post(at, { revision, ...item(where, "One", link(0, url, "Here")) });
        assert.equal(answer.status, 422, url);
        assert.match(answer.text, /Only links that begin with https/);
        assert.ok(answer.text.includes(`value="${url}"`), url);
      }
    assert.deepEqual(await stored(id), NOTHING);
  });

  test("an unknown placeholder is refused, naming the known ones, and what was typed stays", async () => {
    const { id, at, revision } = await create("Filled");
    for (const [where, field, typed] of [
      ["steps.0", "title_en", "Enter {adress}"],
      ["steps.0", "text_de", "Gib {Host} ein"],
      ["boxes.0", "text_en", "Take {download}"],
      ["boxes.0", "title_de", "{}"],
      ["steps.0", "links.0.label_en", "Get {link:}"],
      ["steps.0", "links.0.url", "https://example.org/{foo}"],
    ] as const) {
      const fields = { ...item(where, "One", link(0, "https://example.org/", "Here")), [`${where}.${field}`]: typed };
      const answer = await post(at, { revision, ...fields });
      assert.equal(answer.status, 422, typed);
      assert.match(
        answer.text,
        /There is no such placeholder\. These are known: \{address\} .*\{link:launcher\}/,
        typed,
      );
      assert.ok(answer.text.includes(typed), typed);
      const german = await admin.post(`/de${at}`, { lists: "steps,boxes", revision, ...fields });
      assert.match(german.text, /Diesen Platzhalter gibt es nicht\. Bekannt sind: \{address\}/);
    }
    assert.deepEqual(await stored(id), NOTHING);
    const known = item("steps.0", "{name} {max}", { text_en: "{host} {port} {ports} {version} {link:torrent}" });
    assert.equal((await post(at, { revision, ...known })).status, 200);
  });

  test("what is missing or too much is refused in words at its place", async () => {
    const { id, at, revision } = await create("Refused");
    const https = "https://example.org/";
    for (const [fields, field, expected] of [
      [item("boxes.0", ""), "boxes.0.title_en", "This must be filled in."],
      [item("boxes.0", " \u202e\u0000"), "boxes.0.title_en", "This must be filled in."],
      [item("boxes.0", "x".repeat(121)), "boxes.0.title_en", "This is too long."],
      [item("boxes.0", "Box", { text_de: "x".repeat(601) }), "boxes.0.text_de", "This is too long."],
      [item("boxes.0", "Box", link(0, https, "")), "boxes.0.links.0.label_en", "This must be filled in."],
      [item("boxes.0", "Box", link(0, https, "", "Hier")), "boxes.0.links.0.label_en", "This must be filled in."],
      [item("boxes.0", "Box", link(0, "", "Here")), "boxes.0.links.0.url", "This must be filled in."],
      [item("boxes.0", "Box", link(0, "", "", "Hier")), "boxes.0.links.0.url", "This must be filled in."],
      [item("boxes.0", "Box", link(0, https, "x".repeat(61))), "boxes.0.links.0.label_en", "This is too long."],
      [item("steps.0", "Step", link(0, "", "Here")), "steps.0.links.0.url", "This must be filled in."],
      [{ ...item("steps.0", "Kept"), ...item("boxes.0", "") }, "boxes.0.title_en", "This must be filled in."],
    ] as const) {
      const answer = await post(at, { revision, ...fields });
      assert.equal(answer.status, 422, field);
      assert.ok(answer.text.includes("Error updating game!") && answer.text.includes(expected), field);
      const marked = [...answer.text.matchAll(/<(?:input|textarea)\b[^>]*aria-invalid="true"[^>]*>/g)];
      assert.equal(marked.length, 1, field);
      assert.ok(marked[0]?.[0].includes(`name="${field}"`), `${field}: ${marked[0]?.[0]}`);
      for (const value of Object.values(fields).filter((value) => /^[A-Z]/.test(value)))
        assert.ok(answer.text.includes(value), `${field}: ${value}`);
    }
    const boxes = (most: number) =>
      Object.assign({}, ...Array.from({ length: most }, (_, place) => item(`boxes.${place}`, `Box ${place}`)));
    const steps = Object.assign(
      {},
      ...Array.from({ length: 21 }, (_, place) => item(`steps.${place}`, `Step ${place}`)),
    );
    const links = Object.assign({}, ...[0, 1, 2, 3].map((place) => link(place, https, `Here ${place}`)));
    for (const [fields, last] of [
      [boxes(7), "Box 6"],
      [steps, "Step 20"],
      [item("boxes.0", "Box", links), "Here 3"],
      [item("steps.0", "Step", links), "Here 3"],
    ]) {
      const answer = await post(at, { revision, ...fields });
      assert.equal(answer.status, 422, last);
      assert.match(answer.text, /These are too many\./, last);
      assert.ok(answer.text.includes(`value="${last}"`), `${last} stays`);
    }
    assert.equal((await post(at, { revision, "boxes.0.title_en": "x".repeat(600_000) })).status, 413);
    assert.deepEqual(await stored(id), NOTHING);
  });

  test("two admins: whoever saves second is shown what differs, and overwrites nothing", async () => {
    const { id, at, revision } = await create("Contested");
    const theirs = { ...item("steps.0", "Step"), ...item("boxes.0", "Theirs", link(0, "https://a.example/", "There")) };
    assert.equal((await post(at, { revision, ...theirs })).status, 200);
    const mine = {
      ...item("steps.0", "Step"),
      ...item("boxes.0", "Mine <script>alert(1)</script>", link(0, "https://b.example/", "Here")),
    };
    const late = await post(at, { revision, ...mine });
    assert.equal(late.status, 409);
    assert.match(late.text, /Somebody else has saved this/);
    assert.match(
      late.text,
      /<th scope="row">Box 1<\/th><td[^>]*>Theirs\nhttps:\/\/a\.example\/\nThere<\/td><td[^>]*>Mine /,
      "only the texts that differ",
    );
    assert.doesNotMatch(late.text, /<th scope="row">Step 1/, "only what differs");
    assert.match(late.text, /value="Mine &lt;script/);
    assert.doesNotMatch(late.text, /<script>alert/);
    assert.equal((await stored(id)).guide_boxes[0].title.en, "Theirs");
    const again = await post(at, { revision: revisionIn(late.text), ...mine });
    assert.match(again.text, /Game updated successfully!/);
    assert.match((await stored(id)).guide_boxes[0].title.en, /^Mine/);

    await site.sql`delete from games where game_id = ${id}`;
    const gone = await post(at, { revision: revisionIn(again.text), ...mine });
    assert.ok([404, 410].includes(gone.status), String(gone.status));
  });

  test("buttons add, move and remove before anything is saved, and lead to where one goes on", async () => {
    const { id, at, revision } = await create("Arranged");
    const press = async (change: string, fields: Record<string, string>) => {
      const { status, text } = await post(at, { revision, ...fields, change });
      assert.equal(status, 200, change);
      assert.match(text, /Unsaved changes/, change);
      return { text, focus: focusIn(text) };
    };
    const two = { ...item("boxes.0", "One", link(0, "https://a.example/", "Here")), ...item("boxes.1", "Two") };
    for (const list of ["steps", "boxes"]) {
      const added = await press(`add:${list}`, item(`${list}.0`, "One"));
      assert.match(added.text, /value="One"/);
      assert.ok(added.text.includes(`name="${list}.1.title_en"`));
      assert.equal(added.focus, `${list}.1.title_en`);
      const emptied = await press(`remove:${list}.0`, item(`${list}.0`, "One"));
      assert.doesNotMatch(emptied.text, /value="One"/);
      assert.equal(emptied.focus, `add:${list}`);
    }
    const down = await press("down:boxes.0", { ...item("steps.0", "Step"), ...two });
    assert.ok(down.text.indexOf('value="Two"') < down.text.indexOf('value="One"'));
    assert.match(down.text, /name="boxes\.1\.links\.0\.url"[^>]*value="https:\/\/a\.example\/"/, "its link goes along");
    assert.match(down.text, /name="steps\.0\.title_en"[^>]*value="Step"/, "the steps stay");
    assert.equal(down.focus, "up:boxes.1", "it cannot go further down");
    const three = { ...two, ...item("boxes.2", "Three") };
    assert.equal((await press("up:boxes.2", three)).focus, "up:boxes.1");
    assert.equal((await press("up:boxes.1", three)).focus, "down:boxes.0");
    const removed = await press("remove:boxes.0", two);
    assert.doesNotMatch(removed.text, /value="One"/);
    assert.equal(removed.focus, "boxes.0.title_en");

    const linked = await press("add:boxes.0.links", two);
    assert.ok(
      linked.text.includes('name="boxes.0.links.1.url"') && !linked.text.includes('name="boxes.1.links.1.url"'),
    );
    assert.equal(linked.focus, "boxes.0.links.1.url");
    assert.match(linked.text, /Label of link 2 \(German\)/);
    const several = item("boxes.0", "One", {
      ...link(0, "https://a.example/", "A"),
      ...link(1, "https://b.example/", "B"),
    });
    const fewer = await press("remove:boxes.0.links.0", several);
    assert.match(fewer.text, /name="boxes\.0\.links\.0\.url"[^>]*value="https:\/\/b\.example\/"/);
    assert.doesNotMatch(fewer.text, /a\.example/);

    const full = Object.assign({}, ...Array.from({ length: 6 }, (_, place) => item(`boxes.${place}`, `Box ${place}`)));
    assert.doesNotMatch((await press("up:boxes.5", full)).text, /value="add:boxes"/, "no seventh box is offered");
    for (const change of ["remove:boxes.9", "up:steps.99", "add:boxes.9.links", "remove:boxes.0.links.7"])
      assert.match((await press(change, two)).text, /value="One"/, change);
    assert.deepEqual(await stored(id), NOTHING);
  });

  test("saved in both languages, shown to players at once, written down, and removed again", async () => {
    const { id, at, revision } = await create("Guided");
    const guide = {
      ...item("steps.0", "Two", link(0, "https://example.org/{version}", "Here")),
      ...item("steps.1", "One"),
      ...item("boxes.0", "Troubleshooting", {
        title_de: "Hilfe bei Problemen",
        text_de: "Drücke {address}",
        ...link(0, "", ""),
        ...link(1, "https://a.example/x64.exe", "Runtime", "Laufzeit"),
        ...link(2, "{link:client}", "Client"),
      }),
    };
    const saved = await post(at, { revision, ...guide });
    assert.match(saved.text, /Game updated successfully!/);
    assert.match(saved.text, /name="boxes\.0\.links\.1\.label_de"[^>]*value="Laufzeit"/, "no field changes its place");
    assert.deepEqual(await stored(id), {
      guide: [
        {
          title: { en: "Two" },
          text: { en: "Press {address}" },
          links: [{ label: { en: "Here" }, url: "https://example.org/{version}" }],
        },
        { title: { en: "One" }, text: { en: "Press {address}" } },
      ],
      guide_boxes: [
        {
          title: { en: "Troubleshooting", de: "Hilfe bei Problemen" },
          text: { en: "Press {address}", de: "Drücke {address}" },
          links: [
            { label: { en: "Runtime", de: "Laufzeit" }, url: "https://a.example/x64.exe" },
            { label: { en: "Client" }, url: "{link:client}" },
          ],
        },
      ],
    });
    const page = async (address: string) => (await visitor().get(address)).text;
    await until("the box", async () => (await page("/games/guided")).includes("Troubleshooting"));
    const english = await page("/games/guided");
    assert.match(english, /<a href="https:\/\/a\.example\/x64\.exe" rel="noreferrer">Runtime/);
    assert.doesNotMatch(english, /Hilfe bei Problemen/);
    const german = await page("/de/games/guided");
    assert.match(german, /<aside[^>]*><h3[^>]*>Hilfe bei Problemen<\/h3>/);
    assert.match(german, /<a href="https:\/\/a\.example\/x64\.exe" rel="noreferrer">Laufzeit/);

    const events = () => site.sql`select details, actor_id from audit_events
      where what = 'game-updated' and subject_id = ${String(id)} order by event_id`;
    const [first] = await events();
    assert.ok(first?.actor_id);
    assert.deepEqual(first.details.before, { steps: [], boxes: [] });
    assert.equal(first.details.after.boxes[0].links[1].url, "{link:client}");

    const same = await post(at, { revision: revisionIn(saved.text), ...guide });
    assert.equal(same.status, 200);
    assert.equal((await events()).length, 1, "nothing changed, nothing is written down");

    const { text } = await admin.get(at);
    assert.doesNotMatch(text, /boxes\.0\.links\.2/, "the place without a link is gone");
    const kept = Object.fromEntries(Object.entries(guide).filter(([name]) => name.startsWith("steps")));
    assert.equal((await post(at, { revision: revisionIn(text), ...kept })).status, 200);
    assert.deepEqual((await stored(id)).guide_boxes, []);
    await until("no box", async () => !(await page("/games/guided")).includes("<aside"));
    assert.deepEqual(Object.keys((await events())[1]?.details.before), ["boxes"], "only what changed");
    await post(at, { revision: revisionIn((await admin.get(at)).text) });
    assert.deepEqual(await stored(id), NOTHING);
  });

  test("the guides that the site ships with go through their forms unchanged, and the fullest guide fits into its form", async () => {
    for (const {
      game_id,
      guide,
      guide_boxes,
    } of await site.sql`select game_id, guide, guide_boxes from games where guide_boxes <> '[]'`) {
      const at = `/admin/games/${game_id}/guide`;
      const { text } = await admin.get(at);
      const fields = fieldsIn(text);
      assert.equal(fields["boxes.0.title_de"], guide_boxes[0].title.de ?? "");
      const saved = await post(at, { ...fields, "boxes.0.title_de": "Anders" });
      assert.match(saved.text, /Game updated successfully!/);
      guide_boxes[0].title.de = "Anders";
      assert.deepEqual(await stored(game_id), { guide, guide_boxes });
    }
    const { id, at, revision } = await create("Full");
    const texts = (links: number) => ({
      title_en: "字".repeat(120),
      title_de: "字".repeat(120),
      text_en: "字".repeat(600),
      text_de: "字".repeat(600),
      ...Object.assign(
        {},
        ...Array.from({ length: links }, (_, place) =>
          link(place, `https://${"x".repeat(292)}`, "字".repeat(60), "字".repeat(60)),
        ),
      ),
    });
    const all = (list: string, most: number, links: number) =>
      Array.from({ length: most }, (_, place) => item(`${list}.${place}`, "", texts(links)));
    const full = Object.assign({}, ...all("steps", 20, 1), ...all("boxes", 6, 3));
    assert.match((await post(`/de${at}`, { revision, ...full })).text, /name="boxes\.5\.links\.2\.url"/);
    const { guide, guide_boxes } = await stored(id);
    assert.deepEqual([guide.length, guide_boxes.length, guide_boxes[5].links.length], [20, 6, 3]);
  });

  /** What a browser would send of a page's form. */
  function fieldsIn(text: string): Record<string, string> {
    const decode = (value: string) =>
      value.replace(
        /&(quot|lt|gt|amp|#x27);/g,
        (_, name: string) => ({ quot: '"', lt: "<", gt: ">", amp: "&" })[name] ?? "'",
      );
    const inputs = [...text.matchAll(/<input\b[^>]*>/g)].map(([tag]) => [
      /name="([^"]*)"/.exec(tag)?.[1],
      /value="([^"]*)"/.exec(tag)?.[1],
    ]);
    const areas = [...text.matchAll(/<textarea\b[^>]*name="([^"]*)"[^>]*>([^<]*)</g)].map(([, name, value]) => [
      name,
      value,
    ]);
    return Object.fromEntries(
      [...inputs, ...areas]
        .filter(([name]) => name === "revision" || name === "lists" || /^(steps|boxes)\./.test(name ?? ""))
        .map(([name = "", value = ""]) => [name, decode(value)]),
    );
  }
});
