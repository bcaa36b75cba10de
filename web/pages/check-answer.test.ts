import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { answerCheck, CHECK_HEADER, isOwnAnswer, sealSettings, signCheck } from "./check-answer.ts";

const secret = "a".repeat(43);
const nonce = "0123456789abcdef";
const site = { secret, trustProxy: 1 };

function request(question: string, forwarded?: string): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.headers[CHECK_HEADER] = question;
  if (forwarded) message.headers["x-forwarded-for"] = forwarded;
  return message;
}

test("whoever lacks the site's secret, comes with an old question or with anything else is told nothing", () => {
  const good = signCheck(secret, nonce);
  const [time = "", , seal = ""] = good.split(".");
  const refused = [
    "",
    "please",
    signCheck("another secret", nonce),
    signCheck(secret, nonce, Date.now() - 11 * 60_000),
    signCheck(secret, nonce, Date.now() + 11 * 60_000),
    `${Number(time) + 1}.${nonce}.${seal}`,
    `${time}.fedcba9876543210.${seal}`,
    good.slice(0, -1),
    `${good}x`,
    "x".repeat(10_000),
  ];
  for (const question of refused) assert.equal(answerCheck(request(question), site), null, question.slice(0, 80));
  assert.ok(answerCheck(request(good), site));
});

test("the answer tells what came in and proves whose it is; its proof is of no use as a question", () => {
  const answer = answerCheck(request(signCheck(secret, nonce), "203.0.113.99, 198.51.100.7"), site);
  assert.equal(answer?.ip, "198.51.100.7");
  assert.equal(answer.forwarded_for, "203.0.113.99, 198.51.100.7");
  assert.ok(isOwnAnswer(secret, nonce, answer));
  assert.ok(!isOwnAnswer(secret, "another-nonce-xx", answer));
  assert.ok(!isOwnAnswer("another secret", nonce, answer));
  assert.ok(!isOwnAnswer(secret, nonce, {}));
  assert.equal(answerCheck(request(`${Date.now()}.${nonce}.${answer.proof}`), site), null);
});

test("settings are compared by seals: differences show, values don't", () => {
  const ours = { SITE_URL: "https://play.example.org", SMTP_URL: "smtp://user:hunter2@mail.example.org" };
  const answer = answerCheck(request(signCheck(secret, nonce)), { ...site, env: () => ours });
  assert.ok(answer);
  assert.doesNotMatch(JSON.stringify(answer.settings), /hunter2|play\.example/);
  const differ = (env: NodeJS.ProcessEnv, by = secret) =>
    Object.entries(sealSettings(by, env)).flatMap(([name, seal]) => (answer.settings[name] === seal ? [] : [name]));
  assert.deepEqual(differ(ours), []);
  assert.deepEqual(differ({ ...ours, SMTP_URL: "smtp://user:hunter3@mail.example.org" }), ["SMTP_URL"]);
  assert.deepEqual(differ({ SITE_URL: ours.SITE_URL, DATABASE_URL: "postgres://elsewhere/x" }), ["SMTP_URL"]);
  assert.ok(differ(ours, "another secret").length > 10);
});
