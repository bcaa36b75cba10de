// Tests a channel: sends at once, without the outbox, so that the answer can be shown.
import { randomUUID } from "node:crypto";
import { renderMail } from "#content/mails/templates.ts";
import { recordChannelTest } from "#domain/notifications/operator-channels.ts";
import type { Target } from "#domain/notifications/targets.ts";
import { type ChannelTest, testService } from "#domain/notifications/test-service.ts";
import type { Actor } from "#domain/site/audit.ts";
import type { Locale } from "#shared/locale.ts";
import type { AppParts } from "#web/context.ts";
import { ofAccount } from "#web/request/rate-limits.ts";

const TESTS = { tries: 20, seconds: 300 };

/** Sends the test. A number: seconds to wait before the next one. */
export async function testChannel(
  app: AppParts,
  actor: Actor,
  channel: Target,
  { siteName, locale }: { siteName: string; locale: Locale },
): Promise<ChannelTest | number> {
  const wait_s = await app.limits.consume([ofAccount("channel-test", actor.user_id, TESTS)]);
  if (wait_s !== null) return wait_s;
  const result =
    channel.kind === "mail"
      ? await testMailbox(app, channel, siteName, locale)
      : await testService(channel, app.addressRule, app.siteUrl);
  await recordChannelTest(app.db, actor, channel, result.sent);
  return result;
}

async function testMailbox(
  { mailer, siteUrl }: AppParts,
  { address }: Target,
  siteName: string,
  locale: Locale,
): Promise<ChannelTest> {
  const mail = renderMail({ template: "test-mail", locale, data: {} }, { name: siteName, url: siteUrl });
  const letter = { id: randomUUID(), name: "test-mail", from_name: siteName, to: address?.to ?? "", ...mail };
  const outcome = await mailer.send(letter);
  return outcome.sent
    ? { sent: true, reason: null, answer: "" }
    : { sent: false, reason: "status", answer: outcome.reason };
}
