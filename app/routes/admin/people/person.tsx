// Shows one person: profile, role, ban, sessions.

import { data, useNavigation } from "react-router";
import { readDevice } from "#domain/accounts/device-name.ts";
import { listSessions } from "#domain/accounts/sessions.ts";
import {
  BAN_DAYS,
  BAN_REASON_MAX,
  banShape,
  banUser,
  changeRole,
  endUserSessions,
  roleShape,
  type UserActOutcome,
  unbanUser,
} from "#domain/members/acts.ts";
import { listErasedAccounts } from "#domain/members/erasure.ts";
import { findUserDetails } from "#domain/members/user-list.ts";
import type { FormAnswer } from "#shared/form-answer.ts";
import { dayText, zonedMomentText } from "#shared/text/date-text.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, refuseFor, textsOf } from "#web/forms/handle-form.ts";
import { findTyped, requireFreshSession, requirePermission } from "#web/guards.ts";
import { language } from "../../../language.ts";
import { useNow } from "../../../live/use-live.ts";
import { m } from "../../../paraglide/messages.js";
import { roleText } from "../../../role-label.ts";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Fact, FactList } from "../../../ui/admin-tiles/admin-tiles.tsx";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { Link } from "../../../ui/link/link.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { RelativeTime } from "../../../ui/relative-time/relative-time.tsx";
import { SelectField } from "../../../ui/select-field/select-field.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { checkFields } from "../field-errors.ts";
import { StillThere } from "../still-there.tsx";
import type { Route } from "./+types/person";
import css from "./people.module.css";
import { PERSON_REFUSALS } from "./person-refusals.ts";

export async function loader({ context, request, params, url }: Route.LoaderArgs) {
  const { user_id } = requirePermission({ context, url }, "members:write");
  const { db, secret } = context.get(appContext);
  const person = await findUserDetails(db, params.userId);
  if (!person) throw data(null, { status: 404 });
  const [sessions, earlier] = await Promise.all([
    listSessions(db, person.user_id),
    listErasedAccounts({ db, secret }, person.email),
  ]);
  return {
    person,
    earlier,
    self: person.user_id === user_id,
    sessions: sessions.map(({ session_id, ip, user_agent, last_used_at }) => ({
      session_id,
      ip,
      device: readDevice(user_agent),
      last_used_at: last_used_at.toISOString(),
    })),
    // The role chosen before re-authentication.
    chosen: roleShape.safeParse(findTyped({ context, request, url })).data?.role ?? null,
    ban_days: BAN_DAYS,
    longest: BAN_REASON_MAX,
  };
}

type Given = Record<"reason" | "lasts" | "role", string>;

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("members:write"),
    read: (form): Given => textsOf(form, ["reason", "lasts", "role"]),
    async act({ given, intent, app: { db }, actor }) {
      const person = await findUserDetails(db, asked.params.userId);
      if (!person) return refuseFor(PERSON_REFUSALS, "gone");
      const told = (outcome: UserActOutcome) => (outcome.ok ? done(true) : refuseFor(PERSON_REFUSALS, outcome.reason));
      if (intent === "role") {
        requireFreshSession(asked, { typed: { role: given.role } });
        const role = checkFields(roleShape, given);
        return role.ok ? told(await changeRole(db, actor, person.user_id, role.data.role)) : role;
      }
      if (intent === "ban") {
        const ban = checkFields(banShape, given);
        return ban.ok ? told(await banUser(db, actor, person.user_id, ban.data)) : ban;
      }
      if (intent === "unban") return told(await unbanUser(db, actor, person.user_id));
      if (intent === "sessions") return told(await endUserSessions(db, actor, person.user_id));
      throw data(null, { status: 400 });
    },
    away: (intent) => `${failedText(intent)} ${m.admin_try_again()}`,
  });
}

const failedText = (intent: string) =>
  intent === "role" ? m.failed_role() : intent === "sessions" ? m.failed_sessions() : m.failed_ban();

export default function Person({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const { person, earlier, self, sessions } = loaderData;
  const chosen = actionData ? null : loaderData.chosen;
  const now = useNow();
  const day = (iso: string) => dayText(Date.parse(iso), language(), "UTC");
  const navigation = useNavigation();
  const busy = navigation.state === "submitting" ? String(navigation.formData?.get("intent")) : null;
  return (
    <>
      <AdminHeading title={person.user_nick_name} up={{ to: "/admin/people", label: m.admin_people() }}>
        <ButtonLink to={`/admin/audit?who=${encodeURIComponent(person.email)}`} variant="outlined" size="s">
          {m.admin_person_audit()}
        </ButtonLink>
      </AdminHeading>
      <div className={css.page}>
        <AnswerNotice answer={actionData} done={m.admin_person_saved()} />
        {chosen && <StillThere />}
        {person.erase_after !== null && (
          <p className={css.note}>
            {m.admin_person_leaving({ date: zonedMomentText(Date.parse(person.erase_after), language(), "UTC") })}
          </p>
        )}
        <section className={css.part}>
          <h2>{m.admin_person_facts()}</h2>
          <FactList>
            <Fact label={m.admin_people_email()}>
              {person.email} ({person.email_verified ? m.admin_person_verified() : m.admin_people_unverified()})
            </Fact>
            <Fact label={m.admin_people_role()}>{roleText(person.role)}</Fact>
            <Fact label={m.admin_people_joined()}>
              <RelativeTime at={person.created_at} now={now} />
            </Fact>
            <Fact label={m.admin_person_second_factor()}>
              {person.two_factor ? m.admin_person_on() : m.admin_person_off()}
              {person.two_factor && !self && (
                <>
                  {" · "}
                  <Link to={`/admin/people/${person.user_id}/second-factor`}>{m.admin_person_factor_remove()}</Link>
                </>
              )}
            </Fact>
            {earlier.map(({ registered_at, erased_at }) => (
              <Fact key={erased_at} label={m.admin_person_earlier()}>
                {m.admin_person_earlier_span({ from: day(registered_at), to: day(erased_at) })}
              </Fact>
            ))}
          </FactList>
        </section>
        <Form failed={m.failed_role()} className={css.part} key={`role-${person.role}`}>
          <h2>{m.admin_people_role()}</h2>
          <p className={css.note}>{m.admin_person_role_note()}</p>
          <input type="hidden" name="intent" value="role" />
          <div className={css.choice}>
            <SelectField
              name="role"
              label={m.admin_people_role()}
              defaultValue={chosen ?? person.role}
              options={(["user", "moderator", "admin"] as const).map((value) => ({ value, label: roleText(value) }))}
              error={actionData?.fieldErrors.role}
            />
          </div>
          <div>
            <Button type="submit" variant="tonal" size="s" loading={busy === "role"}>
              {m.admin_person_role_save()}
            </Button>
          </div>
        </Form>
        <section className={css.part}>
          <h2>{m.admin_person_sessions()}</h2>
          {sessions.length === 0 ? (
            <p className={css.note}>{m.admin_person_sessions_none()}</p>
          ) : (
            <>
              <ul className={css.sessions}>
                {sessions.map(({ session_id, ip, device, last_used_at }) => (
                  <li key={session_id}>
                    {[device.browser, device.system, ip].filter(Boolean).join(" · ")} · {m.admin_person_used()}{" "}
                    <RelativeTime at={last_used_at} now={now} />
                  </li>
                ))}
              </ul>
              <Form failed={m.failed_sessions()}>
                <input type="hidden" name="intent" value="sessions" />
                <Button type="submit" variant="tonal" size="s" loading={busy === "sessions"}>
                  {m.admin_person_sessions_end()}
                </Button>
              </Form>
            </>
          )}
        </section>
        {!self && <Banning {...loaderData} answer={actionData} busy={busy} />}
        {!self && (
          <section className={css.part}>
            <h2>{m.admin_delete()}</h2>
            <p className={css.note}>
              <Link to={`/admin/people/${person.user_id}/delete`}>{m.admin_person_delete()}</Link>
            </p>
          </section>
        )}
      </div>
    </>
  );
}

type BanningProps = Route.ComponentProps["loaderData"] & { answer: FormAnswer<Given> | undefined; busy: string | null };

function Banning({ person, ban_days, longest, answer, busy }: BanningProps) {
  const refused = answer?.intent === "ban" && answer.done === null ? answer : undefined;
  const { ban } = person;
  if (ban) {
    return (
      <section className={css.part}>
        <h2>{m.admin_person_ban()}</h2>
        <div className={css.ban}>
          <p>
            <strong>
              {ban.until === null
                ? m.admin_person_banned_for_good()
                : m.admin_person_banned_until({ end: zonedMomentText(Date.parse(ban.until), language(), "UTC") })}
            </strong>
          </p>
          <p>{ban.reason}</p>
          <Form failed={m.failed_ban()}>
            <input type="hidden" name="intent" value="unban" />
            <Button type="submit" variant="tonal" size="s" loading={busy === "unban"}>
              {m.admin_person_unban()}
            </Button>
          </Form>
        </div>
      </section>
    );
  }
  const days = new Intl.NumberFormat(language(), { style: "unit", unit: "day", unitDisplay: "long" });
  return (
    <Form failed={m.failed_ban()} className={css.part}>
      <h2>{m.admin_person_ban()}</h2>
      <p className={css.note}>{m.admin_person_ban_note()}</p>
      <input type="hidden" name="intent" value="ban" />
      <TextField
        name="reason"
        label={m.admin_person_ban_reason()}
        required
        maxLength={longest}
        autoComplete="off"
        defaultValue={refused?.given.reason}
        error={refused?.fieldErrors.reason}
      />
      <div className={css.choice}>
        <SelectField
          name="lasts"
          label={m.admin_person_ban_lasts()}
          defaultValue={refused?.given.lasts || "7"}
          options={[
            ...ban_days.map((count) => ({ value: String(count), label: days.format(count) })),
            { value: "good", label: m.admin_person_ban_for_good() },
          ]}
          error={refused?.fieldErrors.lasts}
        />
      </div>
      <div className={css.danger}>
        <Button type="submit" variant="outlined" size="s" loading={busy === "ban"}>
          {m.admin_person_ban_act({ name: person.user_nick_name })}
        </Button>
      </div>
    </Form>
  );
}
