// Outposts: state, current differences, and creation; the token is shown once.
import { useEffect, useRef } from "react";
import { useNavigation, useSearchParams } from "react-router";
import { createOutpost, listOutposts, OUTPOST_NAME_MAX, outpostShape } from "#domain/outposts/outposts.ts";
import { listDifferences } from "#domain/outposts/sights.ts";
import { appContext, siteContext } from "#web/context.ts";
import { done, handleForm, permitted, type Refusals, refuseFor, textsOf } from "#web/forms/handle-form.ts";
import { typedText } from "#web/forms/typed-before.ts";
import { findTyped, requireFreshSession, requirePermission } from "#web/guards.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { TextField } from "../../../ui/text-field/text-field.tsx";
import { checkFields } from "../field-errors.ts";
import { StillThere } from "../still-there.tsx";
import type { Route } from "./+types/outposts";
import css from "./outposts.module.css";
import { DifferenceTable, OutpostTable } from "./tables.tsx";
import { WaysToRun } from "./ways-to-run.tsx";

/** More differences are one: a network is cut off. */
const MOST_DIFFERENCES = 100;

export async function loader({ context, request, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "settings:write");
  const { db } = context.get(appContext);
  const [outposts, differences] = await Promise.all([listOutposts(db), listDifferences(db, MOST_DIFFERENCES)]);
  const typed = findTyped({ context, request, url });
  return {
    outposts: outposts.map(({ last_seen_at, created_at: _, ...outpost }) => ({
      ...outpost,
      last_seen_at: last_seen_at?.toISOString() ?? null,
    })),
    differences,
    typed: typed && { name: typedText(typed, "name") },
    site_url: context.get(siteContext).read().site_url,
    most: OUTPOST_NAME_MAX,
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("settings:write"),
    read: (form) => textsOf(form, ["name"]),
    async act({ given, app, actor }) {
      // A token outlasts the session, so creating one needs re-authentication.
      requireFreshSession(asked, { typed: given });
      const checked = checkFields(outpostShape, given);
      if (!checked.ok) return checked;
      const made = await createOutpost(app.db, actor, checked.data);
      return made.ok ? done({ token: made.token }) : refuseFor(OUTPOST_REFUSALS, made.reason);
    },
    away: () => `${m.failed_outpost()} ${m.admin_try_again()}`,
  });
}

const OUTPOST_REFUSALS: Refusals<"taken" | "too_many"> = {
  taken: [409, m.admin_outposts_taken],
  too_many: [409, m.admin_outposts_too_many],
};

export default function Outposts({ loaderData, ...props }: Route.ComponentProps) {
  const { outposts, differences, site_url, most } = loaderData;
  const actionData = useAnswer(props.actionData);
  const revoked = useSearchParams()[0].get("done") === "revoked";
  const busy = useNavigation().state === "submitting";
  const token = actionData?.done?.token;
  const once = useRef<HTMLDivElement>(null);
  // The form is new by then, and the focused button was removed with the old one.
  useEffect(() => {
    if (token) once.current?.focus();
  }, [token]);
  const refused = actionData?.done === null ? actionData : undefined;
  const typed = actionData ? null : loaderData.typed;
  const given = refused?.given ?? typed;
  return (
    <>
      <AdminHeading
        title={m.admin_outposts()}
        up={{ to: "/admin/settings", label: m.admin_settings() }}
        note={m.admin_outposts_note()}
      />
      {!actionData && revoked && (
        <Notice tone="good" of={revoked}>
          {m.admin_outposts_revoked()}
        </Notice>
      )}
      <Form failed={m.failed_outpost()} className={css.block} key={refused ? "refused" : outposts.length}>
        {typed && <StillThere />}
        <AnswerNotice answer={actionData} done={m.admin_outposts_once()} />
        {token && (
          <div ref={once} tabIndex={-1}>
            <WaysToRun token={token} siteUrl={site_url} />
          </div>
        )}
        <TextField
          name="name"
          label={m.admin_outposts_place()}
          hint={m.admin_outposts_place_hint()}
          required
          maxLength={most}
          autoComplete="off"
          defaultValue={given?.name}
          error={refused?.fieldErrors.name}
        />
        <div>
          <Button type="submit" loading={busy}>
            {m.admin_outposts_make()}
          </Button>
        </div>
      </Form>
      <OutpostTable outposts={outposts} />
      {outposts.length > 0 && (
        <section className={css.differences}>
          <h2>{m.admin_outposts_differences()}</h2>
          <DifferenceTable differences={differences} outposts={outposts} />
        </section>
      )}
    </>
  );
}
