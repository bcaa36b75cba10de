// Rules: which notifications operators get, and where; creates rules.
import { useNavigation } from "react-router";
import { RULE_TOPICS, type RuleTopic } from "#domain/notifications/event-kinds.ts";
import { listChannels, serviceName } from "#domain/notifications/operator-channels.ts";
import {
  createRule,
  listRuleSubjects,
  listRules,
  makeDefaultRules,
  RULE_MINUTES_MAX,
  removeRule,
  ruleShape,
  switchRule,
} from "#domain/notifications/rules.ts";
import { appContext } from "#web/context.ts";
import {
  done,
  handleForm,
  permitted,
  type Refusals,
  refuse,
  refuseFields,
  refuseFor,
  textOf,
  textsOf,
} from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { m } from "../../../paraglide/messages.js";
import { Button } from "../../../ui/button/button.tsx";
import { type Column, DataTable } from "../../../ui/data-table/data-table.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { FormRow } from "../../../ui/form-sheet/form-sheet.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { CheckField, SelectField } from "../../../ui/select-field/select-field.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { readId } from "../asked-id.ts";
import { checkFields } from "../field-errors.ts";
import type { Route } from "./+types/rules";
import { kindText } from "./channel-text.ts";
import css from "./channels.module.css";
import { NoMail } from "./no-mail.tsx";
import rows from "./rules.module.css";
import { NotificationTabs } from "./tabs.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "settings:write");
  const { db, mailsGoOut } = context.get(appContext);
  await makeDefaultRules(db);
  const [rules, channels, subjects] = await Promise.all([listRules(db), listChannels(db), listRuleSubjects(db)]);
  return {
    rules,
    channels: channels.map(({ target_id, kind, name }) => ({ target_id, kind, service: serviceName(kind), name })),
    subjects,
    topics: RULE_TOPICS,
    most_minutes: RULE_MINUTES_MAX,
    mails_go_out: mailsGoOut,
  };
}

const SWITCH = "switch";
const REMOVE = "remove";

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("settings:write"),
    read: (form) => ({
      ...textsOf(form, ["about", "to", "minutes"]),
      topics: form.getAll("topic").map(String),
      with_hidden: form.has("with_hidden"),
    }),
    async act({ given, form, intent, app, actor }) {
      if (intent === SWITCH || intent === REMOVE) {
        const id = readId(textOf(form, "rule_id"));
        const act = () =>
          intent === REMOVE
            ? removeRule(app.db, actor, Number(id))
            : switchRule(app.db, actor, Number(id), textOf(form, "on") === "yes");
        return id !== null && (await act()) ? done(true) : refuse(410, m.admin_notify_rule_gone());
      }
      const problem = given.topics.length === 0 ? m.admin_notify_rule_no_topic() : m.admin_check_fields();
      const checked = checkFields(ruleShape, given, problem);
      if (!checked.ok) return checked;
      const made = await createRule(app.db, actor, checked.data);
      if (made.ok) return done(true);
      return made.reason === "not_public"
        ? refuseFields({ to: m.admin_notify_rule_not_public() })
        : refuseFor(REFUSALS, made.reason);
    },
    away: () => `${m.failed_notification()} ${m.admin_try_again()}`,
  });
}

const REFUSALS: Refusals<"gone" | "too_many"> = {
  gone: [409, m.admin_notify_rule_about_gone],
  too_many: [409, m.admin_notify_rule_too_many],
};

type Data = Route.ComponentProps["loaderData"];
type Rule = Data["rules"][number];

const topicText = (topic: RuleTopic): string => m.admin_notify_rule_topic({ topic });
const toText = ({ channel, channel_name }: Rule): string =>
  channel === null ? m.admin_notify_rule_admins() : (channel_name ?? "");

export default function Rules({ loaderData, ...props }: Route.ComponentProps) {
  const { rules, mails_go_out } = loaderData;
  const answer = useAnswer(props.actionData);
  const isOfRow = answer?.intent === SWITCH || answer?.intent === REMOVE;
  const toMail = rules.some(({ enabled, channel }) => enabled && (channel === null || channel === "mail"));
  return (
    <>
      <NotificationTabs />
      {!mails_go_out && toMail && <NoMail />}
      <p className={css.intro}>{m.admin_notify_rules_note()}</p>
      {isOfRow && (
        <AnswerNotice
          answer={answer}
          done={answer.intent === REMOVE ? m.admin_notify_rule_removed() : m.admin_notify_rule_changed()}
        />
      )}
      <RuleTable rules={rules} />
      <RuleForm {...loaderData} answer={isOfRow ? undefined : answer} />
    </>
  );
}

function RuleTable({ rules }: { rules: Rule[] }) {
  const columns: Column<Rule>[] = [
    { key: "what", names: true, label: m.admin_notify_rule_topics(), cell: (rule) => <What rule={rule} /> },
    { key: "about", label: m.admin_notify_rule_about(), cell: (rule) => <About rule={rule} /> },
    { key: "to", label: m.admin_notify_rule_to(), cell: (rule) => <bdi className={rows.to}>{toText(rule)}</bdi> },
    {
      key: "on",
      label: m.admin_notify_channel_state(),
      kind: "word",
      cell: ({ enabled, channel_dead }) =>
        channel_dead ? m.admin_notify_channel_dead() : enabled ? m.admin_notify_rule_on() : m.admin_notify_rule_off(),
    },
    // Two buttons don't fit beside the name on a phone.
    { key: "acts", label: m.admin_notify_act(), cell: (rule) => <Acts rule={rule} /> },
  ];
  return (
    <DataTable
      caption={m.admin_notify_rules()}
      columns={columns}
      rows={rules}
      rowKey={({ rule_id }) => rule_id}
      empty={<p>{m.admin_notify_rules_empty()}</p>}
    />
  );
}

function What({ rule: { topics, after_s } }: { rule: Rule }) {
  const late = topics.includes("outages") && after_s > 0;
  return (
    <span className={rows.lines}>
      {topics.map((topic) => (
        <span key={topic}>
          {topicText(topic)}
          {topic === "outages" && late && `, ${m.admin_notify_rule_after({ count: after_s / 60 })}`}
        </span>
      ))}
    </span>
  );
}

function About({ rule: { server_name, game_name, with_hidden } }: { rule: Rule }) {
  const about =
    server_name ?? (game_name === null ? m.admin_notify_rule_all() : m.admin_notify_rule_game({ name: game_name }));
  return (
    <bdi>
      {about}
      {with_hidden && `, ${m.admin_notify_rule_with_hidden()}`}
    </bdi>
  );
}

function Acts({ rule }: { rule: Rule }) {
  const what = rule.topics.map(topicText).join(", ");
  const turn = rule.enabled ? m.admin_notify_rule_switch_off() : m.admin_notify_rule_switch_on();
  const remove = m.admin_notify_rule_remove();
  return (
    <span className={rows.acts}>
      <Form failed={m.failed_notification()}>
        <input type="hidden" name="intent" value={SWITCH} />
        <input type="hidden" name="rule_id" value={rule.rule_id} />
        <input type="hidden" name="on" value={rule.enabled ? "no" : "yes"} />
        <Button type="submit" variant="tonal" size="s" aria-label={m.admin_notify_rule_switch_of({ act: turn, what })}>
          {turn}
        </Button>
      </Form>
      <Form failed={m.failed_notification()}>
        <input type="hidden" name="intent" value={REMOVE} />
        <input type="hidden" name="rule_id" value={rule.rule_id} />
        <Button
          type="submit"
          variant="tonal"
          size="s"
          aria-label={m.admin_notify_rule_switch_of({ act: remove, what })}
        >
          {remove}
        </Button>
      </Form>
    </span>
  );
}

type FormProps = Pick<Data, "rules" | "channels" | "subjects" | "topics" | "most_minutes"> & {
  answer: ReturnType<typeof useAnswer<NonNullable<Route.ComponentProps["actionData"]>>>;
};

function RuleForm({ rules, channels, subjects, topics, most_minutes, answer }: FormProps) {
  const busy = useNavigation().state === "submitting";
  const refused = answer?.done === null ? answer : undefined;
  const given = refused?.given;
  return (
    <Form failed={m.failed_notification()} className={rows.form} key={refused ? "refused" : rules.length}>
      <h2>{m.admin_notify_rule_add()}</h2>
      <AnswerNotice answer={answer} done={m.admin_notify_rule_made()} />
      <fieldset className={rows.topics}>
        <legend>{m.admin_notify_rule_topics()}</legend>
        {topics.map((topic) => (
          <CheckField
            key={topic}
            name="topic"
            value={topic}
            label={topicText(topic)}
            hint={topic === "troubles" ? m.admin_notify_rule_troubles_hint() : undefined}
            defaultChecked={given ? given.topics.includes(topic) : topic === "outages"}
          />
        ))}
      </fieldset>
      <FormRow>
        <SelectField
          name="about"
          label={m.admin_notify_rule_about()}
          defaultValue={given?.about ?? "all"}
          options={[
            { value: "all", label: m.admin_notify_rule_all() },
            ...subjects.games.map(({ game_id, game_name }) => ({
              value: `game:${game_id}`,
              label: m.admin_notify_rule_game({ name: game_name }),
            })),
            ...subjects.servers.map(({ server_id, server_name }) => ({
              value: `server:${server_id}`,
              label: server_name,
            })),
          ]}
          error={refused?.fieldErrors.about}
        />
        <SelectField
          name="to"
          label={m.admin_notify_rule_to()}
          defaultValue={given?.to ?? "admins"}
          options={[
            { value: "admins", label: m.admin_notify_rule_admins() },
            ...channels.map(({ target_id, kind, service, name }) => ({
              value: target_id,
              label: `${name} (${kindText(kind, service)})`,
            })),
          ]}
          error={refused?.fieldErrors.to}
        />
      </FormRow>
      <TextField
        name="minutes"
        label={m.admin_notify_rule_minutes()}
        hint={m.admin_notify_rule_minutes_hint()}
        type="number"
        required
        min={0}
        max={most_minutes}
        defaultValue={given?.minutes ?? "5"}
        error={refused?.fieldErrors.minutes}
      />
      <CheckField
        name="with_hidden"
        label={m.admin_notify_rule_hidden()}
        hint={m.admin_notify_rule_hidden_hint()}
        defaultChecked={given?.with_hidden ?? false}
      />
      <div>
        <Button type="submit" loading={busy}>
          {m.admin_notify_rule_make()}
        </Button>
      </div>
    </Form>
  );
}
