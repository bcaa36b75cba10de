/** At which addresses the site works: refusals first, and each form at each address of our own. */
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { hostname } from "node:os";
import { after, before, describe, test } from "node:test";
import { pino } from "pino";
import { seedDemoContent } from "#demo/demo-content.ts";
import { loadSecret } from "#domain/accounts/secrets.ts";
import { type AccountSite, PASSWORD, startAccountSite } from "#tests/helpers/account-site.ts";
import { ask, DOCUMENT, raw, visitor } from "#tests/helpers/bare-requests.ts";
import { sealFormMoment } from "../forms/form-age.ts";
import { createAddressWarning } from "../pages/lead-home.ts";
import { createSiteAddresses, listOwnAddresses } from "./site-addresses.ts";
import { plainAddress } from "./visit.ts";

describe("while SITE_URL is unset", () => {
  let site: AccountSite;
  let port: string;
  let secret: string;
  let session: string;
  let names = 0;
  before(async () => {
    site = await startAccountSite();
    port = new URL(site.base).port;
    await seedDemoContent(site.database.db);
    secret = await loadSecret(site.dataDir, "auth");
    const { at } = await site.signedInAdmin("boss@example.org");
    session = [...at.cookies].map((pair) => pair.join("=")).join("; ");
  });
  after(() => site.stop());

  const sendLogin = (headers: Record<string, string>) =>
    ask(site, "/login/", {
      headers: { ...visitor(), ...headers },
      fields: { intent: "login", email: "boss@example.org", password: PASSWORD },
    });

  test("no form is taken from another site, nor at a name that is not ours", async () => {
    const here = `127.0.0.1:${port}`;
    for (const [about, headers, status] of [
      ["another site's Origin", { Host: here, Origin: "http://evil.example" }, 403],
      [
        "a stranger's name that leads here now",
        { Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` },
        421,
      ],
      [
        "the same, as its browser sees it",
        { Host: "evil.example", Origin: "http://evil.example", "Sec-Fetch-Site": "same-origin" },
        421,
      ],
      [
        "a name that ends like ours",
        { Host: `localhost.evil.example:${port}`, Origin: `http://localhost.evil.example:${port}` },
        421,
      ],
      ["an address of somebody else", { Host: `203.0.113.5:${port}`, Origin: `http://203.0.113.5:${port}` }, 421],
      ["Origin null", { Host: here, Origin: "null" }, 403],
      ["Origin null, said to be ours", { Host: here, Origin: "null", "Sec-Fetch-Site": "same-origin" }, 403],
      ["another port of this machine", { Host: here, Origin: "http://127.0.0.1:9" }, 403],
      ["another name of this machine", { Host: here, Origin: `http://localhost:${port}` }, 403],
      ["another scheme", { Host: here, Origin: `https://${here}` }, 421],
      [
        "another site, whatever its Origin",
        { Host: here, Origin: `http://${here}`, "Sec-Fetch-Site": "cross-site" },
        403,
      ],
      ["a neighbour", { Host: here, Origin: `http://${here}`, "Sec-Fetch-Site": "same-site" }, 403],
      ["a dot at the end", { Host: `localhost.:${port}`, Origin: `http://localhost.:${port}` }, 421],
      ["a user in front", { Host: here, Origin: `http://${here}@evil.example` }, 403],
      ["a user in front of the Host", { Host: `${here}@evil.example`, Origin: `http://${here}` }, 400],
      ["a path in the Host", { Host: `${here}/evil`, Origin: `http://${here}` }, 400],
      ["a zone", { Host: `[fe80::1%25eth0]:${port}`, Origin: `http://[fe80::1]:${port}` }, 400],
      ["no Host that could be one", { Host: "evil:example:1", Origin: `http://${here}` }, 400],
      // Nobody has said that a proxy's word on the name makes a name ours.
      [
        "a made-up X-Forwarded-Host",
        { Host: here, Origin: "http://evil.example", "X-Forwarded-Host": "evil.example" },
        421,
      ],
    ] as const) {
      const answer = await sendLogin(headers);
      assert.equal(answer.status, status, about);
      assert.deepEqual(answer.cookies, [], about);
      assert.doesNotMatch(answer.text, /Unexpected Application Error/, about);
    }
  });

  test("what two readers could take for two requests is refused", async () => {
    const close = "Connection: close\r\n\r\n";
    const own = `Host: 127.0.0.1:${port}\r\n`;
    for (const [head, status] of [
      [`GET / HTTP/1.1\r\n${own}Host: evil.example\r\n${close}`, 400],
      [`GET /livez HTTP/1.1\r\n${own}hOST: 127.0.0.1:${port}\r\n${close}`, 400],
      [`GET /livez HTTP/1.1\r\n${close}`, 400],
      [`GET http://evil.example/login/ HTTP/1.1\r\n${own}${close}`, 400],
      [`GET http://127.0.0.1:${port}@evil.example/ HTTP/1.1\r\n${own}${close}`, 400],
      [`GET gopher://127.0.0.1:${port}/ HTTP/1.1\r\n${own}${close}`, 400],
      [`GET HTTP://127.0.0.1:${port}/livez HTTP/1.1\r\n${own}${close}`, 200],
      [`GET http://127.0.0.1:${port} HTTP/1.1\r\n${own}${close}`, 200],
    ] as const) {
      const answer = await raw(site, head);
      assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), `${head} → ${answer.slice(0, 200)}`);
      assert.match(answer, /content-security-policy: default-src 'none'/i, head);
    }
  });

  test("no page, link or kept answer speaks of a stranger's name, and the page that is shown there says where the site is", async () => {
    const evil = { Host: `evil.example:${port}` };
    const page = await ask(site, "/dashboard", { headers: { ...evil, ...DOCUMENT } });
    assert.equal(page.status, 421);
    assert.ok(page.text.includes(`http://localhost:${port}/dashboard`), page.text.slice(0, 500));
    for (const path of ["/", "/robots.txt", "/sitemap.xml", "/api/v1/site", "/games/minecraft"]) {
      const answer = await ask(site, path, { headers: evil });
      assert.equal(answer.status, 200, path);
      assert.doesNotMatch(answer.text, /evil\.example/, path);
      assert.match(answer.text, new RegExp(`localhost:${port}`), path);
    }
    await ask(site, "/forgot-password", {
      headers: { ...visitor(), Host: `127.0.0.1:${port}`, Origin: `http://127.0.0.1:${port}` },
      fields: { email: "boss@example.org" },
    });
    const { data } = await site.newestMail("boss@example.org");
    assert.ok(String(data.link).startsWith(`http://localhost:${port}/`), String(data.link));
  });

  const GAME_SERVER = {
    user_max: "20",
    visibility: "public",
    lifecycle: "active",
    password_access: "none",
    adapter: "minecraft",
    host: "play.example.org",
    game_port: "25565",
  };
  for (const name of ["localhost", "LOCALHOST", "127.0.0.1", "127.0.0.2", "[::1]", hostname()]) {
    test(`every form works at ${name}, as a whole page and by script`, async () => {
      const [row] = await site.sql<{ game_id: number }[]>`select game_id from games where game_slug = 'minecraft'`;
      const address = `http://${name.toLowerCase()}:${port}`;
      const own = { Host: `${name}:${port}`, Origin: address };
      for (const end of ["", ".data"] as const) {
        const send = (path: string, fields: Record<string, string>, cookie = "") =>
          ask(site, path.replace(/\/$/, end === "" ? "/" : "/_") + end, {
            headers: { ...visitor(), ...own, Cookie: cookie },
            fields,
          });
        const about = `${name}${end}`;
        const signedIn = await send("/login/", { intent: "login", email: "boss@example.org", password: PASSWORD });
        assert.equal(signedIn.status, end === "" ? 302 : 202, `login at ${about}: ${signedIn.text.slice(0, 300)}`);
        const cookie = signedIn.cookies.join("; ");
        const opened = sealFormMoment(secret, Date.now() - 10_000);
        const contact = await send("/contact", {
          name: "Ada",
          email: "ada@example.org",
          message: `From ${about}`,
          opened,
        });
        assert.ok([302, 202].includes(contact.status), `contact at ${about}: ${contact.status}`);
        const [stored] = await site.sql`select 1 from contacts where message = ${`From ${about}`}`;
        assert.ok(stored, `contact at ${about} was not stored`);
        names += 1;
        const user_name = `Boss ${names}`;
        const profile = await send("/user/settings/profile/", { intent: "save", user_name }, cookie);
        assert.ok([200, 302, 202].includes(profile.status), `profile at ${about}: ${profile.status}`);
        const [{ nick } = { nick: "" }] = await site.sql<
          { nick: string }[]
        >`select user_nick_name as nick from profiles where user_nick_name like 'Boss%'`;
        assert.equal(nick, user_name, `profile at ${about}`);
        const server_name = `Blocks ${names}`;
        const created = await send(
          "/admin/gameservers/create",
          { ...GAME_SERVER, game_id: String(row?.game_id), server_name },
          cookie,
        );
        assert.equal(created.status, end === "" ? 302 : 202, `create at ${about}: ${created.text.slice(0, 300)}`);
        const left = await send("/logout", {}, cookie);
        assert.ok([302, 202].includes(left.status), `logout at ${about}: ${left.status}`);
        const again = await ask(site, "/user/settings/profile/", { headers: { ...own, Cookie: cookie } });
        assert.match(String(again.headers.location), /^\/login\//, `logout at ${about}`);
      }
    });

    test(`links of what is asked for at ${name} begin with it, for visitors and members`, async () => {
      const origin = `http://${name.toLowerCase()}:${port}`;
      for (const [path, cookie] of [
        ["/games/minecraft", ""],
        ["/games/minecraft", session],
        ["/sitemap.xml", ""],
        ["/api/v1/site", ""],
      ] as const) {
        const answer = await ask(site, path, {
          headers: { Host: `${name}:${port}`, ...(cookie ? { Cookie: cookie } : {}) },
        });
        assert.equal(answer.status, 200, path);
        assert.ok(answer.text.includes(`${origin}/`), `${path} at ${name}`);
        const others = ["localhost", "127.0.0.1", "[::1]"].filter((other) => other !== name.toLowerCase());
        for (const other of others)
          assert.ok(!answer.text.includes(`http://${other}:${port}`), `${path} at ${name}: ${other}`);
      }
      // The page is kept for each address on its own: a number leads to the name at which passkeys work, and no name does.
      const login = await ask(site, "/de/login/", { headers: { Host: `${name}:${port}` } });
      const leads = login.text.includes(`>Sie gehen unter http://localhost:${port}<`);
      assert.equal(leads, /^127\.|^\[/.test(name), `/de/login/ at ${name}`);
      const keys = await ask(site, "/api/auth/passkey/generate-authenticate-options", {
        headers: { ...visitor(), Host: `${name}:${port}` },
      });
      assert.equal(JSON.parse(keys.text).rpId, name.toLowerCase());
    });
  }

  test("a tunnel's own port is the visitor's business", async () => {
    const own = { Host: "localhost:8080", Origin: "http://localhost:8080" };
    assert.equal((await sendLogin(own)).status, 302);
    const page = await ask(site, "/games/minecraft", { headers: own });
    assert.match(page.text, /<link rel="canonical" href="http:\/\/localhost:8080\/games\/minecraft"/);
  });
});

test("the log says which setting is wrong and what it should be, once in a while", (t) => {
  const lines: { setting?: string; is?: string; asked?: string }[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  let now = 1e9;
  t.mock.method(performance, "now", () => now);
  const asked = (headers: Record<string, string>) =>
    ({ headers, socket: { remoteAddress: "203.0.113.9", localAddress: "10.0.0.2" } }) as unknown as IncomingMessage;
  const at = { host: "127.0.0.1", port: 3000, trustProxy: 0 };
  // A proxy in front that puts its own Host in place of the browser's.
  const wrong = createSiteAddresses({ ...at, siteUrl: "http://127.0.0.1:3000", any: false });
  const warn = createAddressWarning(wrong, log);
  for (let n = 0; n < 50; n += 1) warn(asked({ host: "127.0.0.1:3000", origin: "https://play.example.org" }));
  for (let n = 0; n < 50; n += 1) warn(asked({ host: `evil-${n}.example` }));
  assert.equal(lines.length, 1);
  const [{ setting, is, asked: where } = {}] = lines;
  assert.deepEqual([setting, is, where], ["SITE_URL", "http://127.0.0.1:3000", "https://play.example.org"]);
  assert.match(JSON.stringify(lines[0]), /set SITE_URL=https:\/\/play\.example\.org/);
  now += 11 * 60_000;
  warn(asked({ host: "www.example.org", origin: "null" }));
  assert.equal(lines[1]?.asked, "http://www.example.org");
  // Somebody on the machine itself, beside a site that has a name: nothing is wrong with that.
  now += 11 * 60_000;
  createAddressWarning(
    createSiteAddresses({ ...at, siteUrl: "https://play.example.org", any: false }),
    log,
  )(asked({ host: "127.0.0.1:3000" }));
  assert.equal(lines.length, 2);
});

test("the start prints every address that can be opened, a name first", () => {
  const machine = { addresses: ["127.0.0.1", "::1", "192.168.1.5", "fe80::1", "fd00::5"], name: "gamebox" };
  const list = (host: string) => listOwnAddresses(host, 3000, machine);
  assert.deepEqual(list("127.0.0.1"), ["http://localhost:3000", "http://127.0.0.1:3000"]);
  assert.deepEqual(list("::1"), ["http://localhost:3000", "http://[::1]:3000"]);
  assert.deepEqual(list("127.0.0.2"), ["http://127.0.0.2:3000"]);
  assert.deepEqual(list("192.168.1.5"), ["http://192.168.1.5:3000"]);
  const v4 = ["http://localhost:3000", "http://127.0.0.1:3000", "http://192.168.1.5:3000", "http://gamebox:3000"];
  assert.deepEqual(list("0.0.0.0"), v4);
  assert.deepEqual(list("::").toSorted(), [...v4, "http://[::1]:3000", "http://[fd00::5]:3000"].toSorted());
});

test("an address is one address, however a proxy writes it", () => {
  for (const written of [
    "1.2.3.4",
    "1.2.3.4:5678",
    '"1.2.3.4:5678"',
    "::ffff:1.2.3.4",
    "::FFFF:1.2.3.4",
    "::ffff:102:304",
    "[::ffff:1.2.3.4]:80",
    " 0:0:0:0:0:ffff:0102:0304 ",
  ])
    assert.equal(plainAddress(written), "1.2.3.4", written);
  for (const written of ["[::1]:80", "::1", "[::1]", '"[::1]"', "0:0::1", "::1%lo"])
    assert.equal(plainAddress(written), "::1", written);
  assert.equal(plainAddress("2001:DB8:0:0::7"), "2001:db8::7");
  for (const garbage of [
    "",
    "unknown",
    "_hidden",
    "1.2.3.4.5",
    "1.2.3",
    "999.1.1.1",
    "::1:80:zz",
    "evil.example",
    `${"1".repeat(99)}`,
    "1.2.3.4, 5.6.7.8",
  ])
    assert.equal(plainAddress(garbage), null, garbage);
});

test("pages are kept under the addresses that a start prints, and not under each name that leads to this machine", () => {
  const at = (siteUrl: string, host: string) => {
    const addresses = createSiteAddresses({ siteUrl, any: true, host: "0.0.0.0", port: 8080, trustProxy: 0 });
    const request = { headers: { host }, socket: { localAddress: "192.0.2.9", remoteAddress: "192.0.2.1" } };
    return {
      kept: addresses.cacheOrigin(request as unknown as IncomingMessage),
      link: addresses.linkOrigin(request as unknown as IncomingMessage),
    };
  };
  for (const name of ["localhost", "127.0.0.1", "[::1]", "192.0.2.9"]) {
    const origin = `http://${name}:8080`;
    assert.deepEqual(at("http://localhost:8080", `${name}:8080`), { kept: origin, link: origin });
  }
  for (const name of ["127.0.0.2", "127.1.2.3", "127.255.255.254"]) {
    const origin = `http://${name}:8080`;
    assert.deepEqual(
      at("http://localhost:8080", `${name}:8080`),
      { kept: null, link: origin },
      "it works all the same",
    );
    assert.equal(at(origin, `${name}:8080`).kept, origin, "where the site lives there");
  }
});
