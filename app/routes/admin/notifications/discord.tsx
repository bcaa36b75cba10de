// Discord page: connected channels with live cards, and slash commands.
import { useNavigation } from "react-router";
import { z } from "zod";
import { COMMANDS } from "#content/discord/commands.ts";
import { postMessage } from "#content/discord/post.ts";
import {
  addCard,
  connectChannel,
  DISCORD_NAME_MAX,
  disconnectChannel,
  endCard,
  listDiscordChannels,
  renewCard,
  testDiscordChannel,
} from "#domain/discord/channels.ts";
import { createRule, listRuleSubjects } from "#domain/notifications/rules.ts";
import { recordAudit } from "#domain/site/audit.ts";
import { appContext, siteContext } from "#web/context.ts";
import {
  done,
  handleForm,
  permitted,
  type Refusals,
  refuse,
  refuseFields,
  refuseFor,
  refuseForNow,
  textOf,
  textsOf,
} from "#web/forms/handle-form.ts";
import { typedText } from "#web/forms/typed-before.ts";
import { findTyped, requireFreshSession, requirePermission } from "#web/guards.ts";
import { ofAccount } from "#web/request/rate-limits.ts";
import { isLoopbackName } from "#web/request/site-addresses.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import type { Route } from "./+types/discord";
import css from "./channels.module.css";
import { DiscordChannel } from "./discord-channel.tsx";
import { DiscordCommands } from "./discord-commands.tsx";
import { ConnectForm } from "./discord-connect.tsx";
import { NotificationTabs } from "./tabs.tsx";

/** Limit of manual requests to Discord. */
const ACTS = { tries: 20, seconds: 300 };

export async function loader({ context, request, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "settings:write");
  const { db, discordApp, discordPublicKey } = context.get(appContext);
  const [channels, subjects] = await Promise.all([listDiscordChannels(db), listRuleSubjects(db)]);
  const typed = findTyped({ context, request, url });
  const { site_url } = context.get(siteContext).read();
  return {
    channels,
    subjects,
    typed: typed && {
      name: typedText(typed, "name"),
      locale: typedText(typed, "locale"),
      with_card: typedText(typed, "with_card") === "on",
      with_posts: typedText(typed, "with_posts") === "on",
    },
    most: DISCORD_NAME_MAX,
    only_here: isLoopbackName(new URL(site_url).hostname) ? site_url : null,
    commands: {
      endpoint: `${site_url}/discord/interactions`,
      client_id: discordApp !== null && discordPublicKey !== null ? discordApp.clientId : null,
    },
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("settings:write"),
    read: (form) => ({
      ...textsOf(form, ["name", "locale", "target_id", "about", "card_id", "link"]),
      with_card: form.has("with_card"),
      with_posts: form.has("with_posts"),
    }),
    async act({ given, form, intent, app, actor, locale }) {
      const { db, secret, siteUrl } = app;
      // A channel outlasts the session, so connecting one needs re-authentication.
      if (intent === "connect") requireFreshSession(asked, { typed: typedOf(given) });
      if (["connect", "register", "test"].includes(intent)) {
        const wait_s = await app.limits.consume([ofAccount("discord-act", actor.user_id, ACTS)]);
        if (wait_s !== null) return refuseForNow(wait_s, m.admin_discord_away());
      }
      const named = intent.startsWith("card-") ? given.card_id : given.target_id;
      if (!["connect", "register"].includes(intent) && !z.uuid().safeParse(named).success)
        return refuseFor(REFUSALS, "gone");
      const discord = app.discordCalls;
      const parts = { db, secret, discord };
      switch (intent) {
        case "connect": {
          const name = given.name.trim().slice(0, DISCORD_NAME_MAX);
          if (name === "") return refuseFields({ name: m.field_missing({ field: m.admin_discord_name() }) });
          const made = await connectChannel(parts, actor, {
            name,
            // A secret: the form doesn't show it again.
            url: textOf(form, "url", 400),
            locale: given.locale === "de" ? "de" : "en",
            withCard: given.with_card,
          });
          if (!made.ok) {
            return made.reason === "not_discord"
              ? refuseFields({ url: m.admin_discord_url_wrong() })
              : refuseFor(REFUSALS, made.reason);
          }
          if (given.with_posts) {
            const topics = ["outages", "plans", "news", "incidents"] as const;
            await createRule(db, actor, {
              topics: [...topics],
              about: "all",
              to: made.target_id,
              minutes: 0,
              with_hidden: false,
            });
          }
          return done({ text: m.admin_discord_made() });
        }
        case "card": {
          const made = await addCard(db, actor, { targetId: given.target_id, about: given.about });
          if (made.ok) return done({ text: m.admin_discord_card_made() });
          return made.reason === "taken" ? refuse(409, m.admin_discord_card_taken()) : refuseFor(REFUSALS, made.reason);
        }
        case "card-end":
          return (await endCard(db, actor, given.card_id))
            ? done({ text: m.admin_discord_card_removed() })
            : refuseFor(REFUSALS, "gone");
        case "card-again": {
          const renewed = await renewCard(db, actor, given.card_id, given.link);
          return renewed.ok ? done({ text: m.admin_discord_card_renewed() }) : refuseFor(REFUSALS, renewed.reason);
        }
        case "test": {
          const told = { title: m.admin_discord_test(), body: m.admin_discord_test_text(), path: "/" };
          const siteName = asked.context.get(siteContext).read().settings.site_name;
          const message = postMessage(told, { kind: "test", siteUrl, siteName, locale });
          const problem = await testDiscordChannel(parts, actor, given.target_id, message);
          if (problem === null) return done({ text: m.admin_discord_tested() });
          return problem === "gone"
            ? refuseFor(REFUSALS, "gone")
            : refuse(503, m.admin_discord_test_failed({ reason: m.admin_notify_failure(problem) }));
        }
        case "disconnect":
          return (await disconnectChannel(db, actor, given.target_id))
            ? done({ text: m.admin_discord_removed() })
            : refuseFor(REFUSALS, "gone");
        case "register": {
          if (app.discordApp === null) return refuse(409, m.admin_discord_commands_unset());
          const reply = await discord.registerCommands(app.discordApp, COMMANDS);
          if (reply.outcome !== "ok") {
            const reason = "text" in reply ? reply.text : "429";
            return refuse(503, m.admin_discord_commands_failed({ reason: m.admin_notify_failure({ reason }) }));
          }
          await recordAudit(db, { what: "discord-commands-registered", actor_id: actor.user_id, origin: actor.origin });
          return done({ text: m.admin_discord_commands_registered() });
        }
        default:
          return refuseFor(REFUSALS, "gone");
      }
    },
    away: () => `${m.failed_discord()} ${m.admin_try_again()}`,
  });
}

/** Values that the form shows again; the address is secret and not among them. */
const typedOf = (given: { name: string; locale: string; with_card: boolean; with_posts: boolean }) => ({
  name: given.name,
  locale: given.locale,
  with_card: given.with_card ? "on" : "",
  with_posts: given.with_posts ? "on" : "",
});

const REFUSALS: Refusals<"unknown" | "away" | "taken" | "too_many" | "gone" | "no_link"> = {
  unknown: [422, m.admin_discord_url_unknown],
  away: [503, m.admin_discord_away],
  taken: [409, m.admin_discord_taken],
  too_many: [409, m.admin_discord_too_many],
  gone: [410, m.admin_discord_gone],
  no_link: [422, m.admin_discord_card_link_wrong],
};

export default function DiscordPage({ loaderData, ...props }: Route.ComponentProps) {
  const { channels, subjects, commands, most, only_here } = loaderData;
  const answer = useAnswer(props.actionData);
  const busy = useNavigation().state === "submitting";
  const refused = answer?.done === null && answer.intent === "connect" ? answer : undefined;
  const typed = answer ? null : loaderData.typed;
  return (
    <>
      <NotificationTabs />
      <p className={css.note}>{m.admin_discord_note()}</p>
      {only_here !== null && <Alert tone="plain">{m.admin_address_only_here({ url: only_here })}</Alert>}
      <AnswerNotice answer={answer} done={answer?.done?.text ?? ""} />
      {channels.length === 0 && <p>{m.admin_discord_empty()}</p>}
      {channels.map((channel) => (
        <DiscordChannel key={channel.target_id} channel={channel} subjects={subjects} busy={busy} />
      ))}
      <div className={css.forms}>
        <ConnectForm
          key={channels.length}
          most={most}
          given={refused?.given ?? typed ?? undefined}
          back={typed !== null}
          errors={refused?.fieldErrors ?? {}}
          busy={busy}
        />
        <DiscordCommands {...commands} busy={busy} />
      </div>
    </>
  );
}
