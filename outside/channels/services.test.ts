/** Message services against pretended ones that check what their makers document, and answer as they do. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { createServiceAllow } from "../service-address.ts";
import { sendMessage } from "./send.ts";
import type { Service, ServiceMessage } from "./service.ts";
import { SERVICES, type ServiceKind } from "./services.ts";

const message: ServiceMessage = {
  id: "msg_1",
  timestampS: 1_700_000_000,
  title: "<!channel> *Ada* & @all is down",
  text: 'It [does](x) not "respond".',
  url: "https://play.example.org/servers/12",
  event: {
    type: "server_down",
    timestamp: "2026-11-22T21:14:03.000Z",
    data: { server: { name: 'Ada "1"' }, game: null },
  },
};

type Received = {
  method: string | undefined;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
};

/** What each service must receive for `message`. `needs` must be in the headers; without it the service refuses. */
const EXPECTED: Record<
  Exclude<ServiceKind, "webhook">,
  { settings: Record<string, string>; method?: string; path: string; needs?: Record<string, string>; body: unknown }
> = {
  ntfy: {
    settings: { server: "http://HERE", topic: "alerts", token: "tk_1" },
    path: "/",
    needs: { authorization: "Bearer tk_1" },
    body: { topic: "alerts", title: message.title, message: message.text, click: message.url },
  },
  telegram: {
    settings: { server: "http://HERE/", token: `12:${"x".repeat(35)}`, chat: "-100", topic: "7" },
    path: `/bot12:${"x".repeat(35)}/sendMessage`,
    body: {
      chat_id: "-100",
      text: `${message.title}\n\n${message.text}\n${message.url}`,
      link_preview_options: { is_disabled: true },
      message_thread_id: 7,
    },
  },
  slack: {
    settings: { url: "http://HERE/services/T/B/x" },
    path: "/services/T/B/x",
    body: {
      text: `*&lt;!channel&gt; *Ada* &amp; @all is down*\n${message.text}\n<${message.url}>`,
      unfurl_links: false,
    },
  },
  teams: {
    settings: { url: "http://HERE/workflows/1?sig=x" },
    path: "/workflows/1?sig=x",
    body: {
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              {
                type: "RichTextBlock",
                inlines: [{ type: "TextRun", text: message.title, size: "large", weight: "bolder" }],
              },
              { type: "RichTextBlock", inlines: [{ type: "TextRun", text: message.text }] },
            ],
            actions: [{ type: "Action.OpenUrl", title: "play.example.org", url: message.url }],
          },
        },
      ],
    },
  },
  matrix: {
    settings: { server: "http://HERE", room: "!a:example.org", token: "syt_1" },
    method: "PUT",
    path: "/_matrix/client/v3/rooms/!a%3Aexample.org/send/m.room.message/msg_1",
    needs: { authorization: "Bearer syt_1" },
    body: { msgtype: "m.text", body: `${message.title}\n${message.text}\n${message.url}`, "m.mentions": {} },
  },
  mattermost: {
    settings: { url: "http://HERE/hooks/x" },
    path: "/hooks/x",
    body: {
      text: `**\\<\\!channel\\> \\*Ada\\* & @\u200ball is down**\nIt \\[does\\]\\(x\\) not "respond"\\.\n${message.url}`,
    },
  },
  gotify: {
    settings: { server: "http://HERE/gotify/", token: "A1" },
    path: "/gotify/message",
    needs: { "x-gotify-key": "A1" },
    body: {
      title: message.title,
      message: message.text,
      priority: 5,
      extras: { "client::notification": { click: { url: message.url } } },
    },
  },
  pushover: {
    settings: { token: "a".repeat(30), user: "u".repeat(30) },
    path: "/1/messages.json",
    body: {
      token: "a".repeat(30),
      user: "u".repeat(30),
      title: message.title,
      message: message.text,
      url: message.url,
    },
  },
  home_assistant: {
    settings: { server: "http://HERE", token: "eyJ", action: "mobile_app_x" },
    path: "/api/services/notify/mobile_app_x",
    needs: { authorization: "Bearer eyJ" },
    body: { title: message.title, message: `${message.text}\n${message.url}` },
  },
  template: {
    settings: {
      url: "http://HERE/in",
      authorization: "Basic eA==",
      body: '{"a": "{{title}} {{server}}", "b": ["{{text}}", "{{url}}", "{{type}}{{game}}"], "c": "{{other}}"}',
    },
    path: "/in",
    needs: { authorization: "Basic eA==" },
    body: {
      a: `${message.title} Ada "1"`,
      b: [message.text, message.url, "server_down"],
      c: "{{other}}",
    },
  },
};

describe("message services", () => {
  const received: Received[] = [];
  let needs: Record<string, string> = {};
  let answer: { status: number; body: string; headers?: Record<string, string> } = { status: 200, body: "ok" };
  let here = "";
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString());
    received.push({ method: request.method, path: request.url ?? "", headers: request.headers, body });
    const isKnown = Object.entries(needs).every(([name, value]) => request.headers[name] === value);
    const { status, body: text, headers } = isKnown ? answer : { status: 401, body: "unauthorized" };
    response.writeHead(status, headers).end(text);
  });
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    here = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  const withHere = (settings: Record<string, string>) =>
    Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value.replace("HERE", here)]));

  /** Sends to the pretended service also where the real one has a fixed address. */
  function send(kind: ServiceKind, settings: Record<string, string>, sent = message) {
    const service: Service = {
      ...SERVICES[kind],
      request(given, about) {
        const request = SERVICES[kind].request(given, about);
        const { pathname, search } = new URL(request.url);
        return { ...request, url: `http://${here}${pathname}${search}` };
      },
    };
    const allow = createServiceAllow({ allowCidrs: ["127.0.0.1/32"], deniedPorts: [] });
    return sendMessage(allow, { service, settings: withHere(settings) }, sent);
  }

  for (const [kind, expected] of Object.entries(EXPECTED) as [keyof typeof EXPECTED, (typeof EXPECTED)["ntfy"]][]) {
    test(`${SERVICES[kind].name} receives the message as its maker documents it`, async () => {
      received.length = 0;
      needs = expected.needs ?? {};
      answer = { status: 200, body: "ok" };
      assert.deepEqual(await send(kind, expected.settings), { sent: true, answer: "200 ok" });
      const [got] = received;
      assert.deepEqual([got?.method, got?.path], [expected.method ?? "POST", expected.path]);
      assert.deepEqual(got?.body, expected.body);
      if (expected.needs) {
        needs = Object.fromEntries(Object.keys(needs).map((name) => [name, "another"]));
        const refused = await send(kind, expected.settings);
        assert.deepEqual([refused.sent, refused.answer], [false, "401 unauthorized"]);
      }
    });

    test(`${SERVICES[kind].name}: a message without a link is complete, and no secret is shown to admins`, async () => {
      needs = {};
      answer = { status: 200, body: "ok" };
      assert.equal((await send(kind, expected.settings, { ...message, url: null })).sent, true);
      assert.doesNotMatch(JSON.stringify(received.at(-1)?.body), /undefined|play\.example/);
      const settings = withHere(expected.settings);
      const shown = SERVICES[kind].shows(settings);
      assert.notEqual(shown, "");
      for (const [name, field] of Object.entries(SERVICES[kind].fields))
        if (field.kind === "secret") assert.ok(!shown.includes(settings[name] ?? ""), `${name} is shown: ${shown}`);
    });
  }

  test("a service that asks to wait in its body is left alone for as long", async () => {
    needs = {};
    answer = { status: 429, body: '{"ok":false,"error_code":429,"parameters":{"retry_after":35}}' };
    const telegram = await send("telegram", EXPECTED.telegram.settings);
    assert.deepEqual([telegram.sent, !telegram.sent && telegram.afterS], [false, 35]);
    answer = { status: 429, body: '{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":2100}' };
    const matrix = await send("matrix", EXPECTED.matrix.settings);
    assert.deepEqual([matrix.sent, !matrix.sent && matrix.afterS], [false, 3]);
    answer = { status: 429, body: '{"parameters":{"retry_after":1e99}}', headers: {} };
    const forever = await send("telegram", EXPECTED.telegram.settings);
    assert.equal(!forever.sent && forever.afterS, 86_400);
    for (const body of ["", "[]", '"x"', '{"parameters":7}', '{"parameters":{"retry_after":-1}}', "{"]) {
      answer = { status: 429, body };
      const plain = await send("telegram", EXPECTED.telegram.settings);
      assert.equal(!plain.sent && plain.afterS, null, body);
    }
  });

  test("every service is named in the documentation", () => {
    const documented = readFileSync(new URL("../../docs/notifications.md", import.meta.url), "utf8").replaceAll(
      "\n",
      " ",
    );
    for (const { name } of Object.values(SERVICES))
      for (const each of name.toLowerCase().split(", ")) assert.ok(documented.toLowerCase().includes(each), each);
  });

  test("a template whose text can't be JSON is found before it is stored", () => {
    const check = (body: string) => SERVICES.template.check?.({ url: "", authorization: "", body });
    assert.equal(check('{"a": "{{title}}"}'), null);
    for (const body of ["", "{", '{"a": {{title}}}', "{'a': 1}"]) assert.equal(check(body), "body", body);
  });
});
