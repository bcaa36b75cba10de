// Edits a game server.
import { useNavigation, useSearchParams } from "react-router";
import {
  type ForgottenSecret,
  givenSecrets,
  missingSecrets,
  shownSecrets,
} from "#domain/game-servers/adapter-secrets.ts";
import { updateGameServer } from "#domain/game-servers/edits.ts";
import { gameServerShape } from "#domain/game-servers/fields.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, refuse, refuseConflict, textOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer, useStill } from "../../../ui/form/use-answer.ts";
import { FormActs } from "../../../ui/form-sheet/form-acts.tsx";
import { FormBeside, FormSheet } from "../../../ui/form-sheet/form-sheet.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import { Conflict } from "../../../ui/notice/conflict.tsx";
import { Notice } from "../../../ui/notice/notice.tsx";
import { requireId } from "../asked-id.ts";
import { checkFields, differences, fieldErrorText, refuseField } from "../field-errors.ts";
import type { Route } from "./+types/edit";
import { headOf, listChoices, requireGameServer } from "./asked-game-server.ts";
import { DoctorBeside } from "./doctor-beside.tsx";
import { type GameServerTexts, readFields, takenFromAddress, withTaken } from "./fields.ts";
import { fieldLabels, GameServerFormFields } from "./form.tsx";
import { fromForm, NEW_GAME_SERVER, toForm } from "./form-texts.ts";
import { optionLabels } from "./option-texts.ts";
import { GameServerTabs } from "./tabs.tsx";
import { useTaken } from "./use-taken.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "gameservers:write");
  const app = context.get(appContext);
  const { db, secret } = app;
  const found = await requireGameServer(db, params.serverId);
  const choices = await listChoices(app);
  const taken = takenFromAddress(url.searchParams);
  const stored = toForm(found.form);
  return {
    head: headOf(found),
    revision: found.revision,
    secrets: shownSecrets(secret, found.sealed),
    missing: missingSecrets(found.form.adapter, found.sealed),
    values: taken ? withTaken(stored, taken, choices.games) : stored,
    choices,
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("gameservers:write"),
    read: (form) => readFields(form, NEW_GAME_SERVER),
    async act({ given, form, app, actor }) {
      const serverId = requireId(asked.params.serverId);
      const checked = checkFields(gameServerShape(app.addressRule), fromForm(given));
      if (!checked.ok) return checked;
      const saved = await updateGameServer(app.db, actor, serverId, textOf(form, "revision"), checked.data, {
        given: givenSecrets(form),
        siteSecret: app.secret,
      });
      if (saved.ok) return done({ forgotten: saved.forgotten ?? [] }, { revision: saved.revision });
      if (saved.reason === "gone") return refuse(410, m.admin_server_gone());
      if (saved.reason === "no_game") return refuseField("game_id", fieldErrorText("no_game"));
      const labels = { ...fieldLabels(), ...optionLabels() };
      const rows = differences(flat(toForm(saved.theirs)), flat(toForm(checked.data)), labels);
      return refuseConflict(saved.revision, rows);
    },
    away: m.admin_try_again,
  });
}

export default function GameServerEdit({ loaderData, ...props }: Route.ComponentProps) {
  const { head, choices } = loaderData;
  const actionData = useAnswer(props.actionData);
  const { values, revision } = useStill(loaderData);
  const address = here(`/admin/gameservers/${head.server_id}/edit`);
  const navigation = useNavigation();
  const busy = navigation.state === "submitting" && navigation.formAction?.startsWith(address);
  const created = useSearchParams()[0].get("done") === "created";
  const { form, shown, round, taken, take } = useTaken(
    actionData?.given ?? values,
    choices.games,
    actionData ?? revision,
  );
  return (
    <>
      <GameServerTabs server={head} />
      {actionData?.conflict && <Conflict rows={actionData.conflict} to={`/admin/gameservers/${head.server_id}/edit`} />}
      {loaderData.missing.map((name) => (
        <Alert key={name} tone="plain">
          {m.admin_secret_missing({ secret: m.admin_secret({ name }) })}
        </Alert>
      ))}
      <FormBeside
        aside={
          <DoctorBeside
            title={m.admin_server_doctor()}
            address={shown.host && shown.game_port ? `${shown.host}:${shown.game_port}` : shown.host}
            types={choices.types}
            onTake={take}
            heartbeatAt={`/admin/gameservers/${head.server_id}/heartbeat`}
          />
        }
      >
        <Form failed={m.admin_server_update_failed()} action={address} ref={form} key={`${head.server_id} ${round}`}>
          <input type="hidden" name="revision" value={actionData?.revision ?? revision} />
          <FormSheet>
            <AnswerNotice
              answer={actionData}
              failed={m.admin_server_update_failed()}
              done={[m.admin_server_updated(), ...(actionData?.done?.forgotten ?? []).map(forgottenText)].join(" ")}
            />
            {!actionData && created && (
              <Notice tone="good" of="created">
                {m.admin_server_created()}
              </Notice>
            )}
            <GameServerFormFields
              values={shown}
              fieldErrors={actionData?.fieldErrors ?? {}}
              choices={choices}
              secrets={{ kept: loaderData.secrets, revision: loaderData.revision }}
            />
            <FormActs
              cancel="/admin/gameservers"
              saved={actionData?.done && actionData}
              unsaved={taken || actionData?.done === null}
            >
              <Button type="submit" loading={busy}>
                {m.admin_save()}
              </Button>
            </FormActs>
          </FormSheet>
        </Form>
      </FormBeside>
    </>
  );
}

const forgottenText = ({ name, because }: ForgottenSecret): string =>
  because === "host" ? m.admin_secret_forgotten_host({ name }) : m.admin_secret_forgotten_adapter({ name });

/** Moves options beside the other fields, for comparison. */
const flat = ({ options, ...texts }: GameServerTexts) => ({ ...texts, ...options });
