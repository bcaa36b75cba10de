// Polls a saved game server at once, and lists its last twenty results.
import { useId, useRef } from "react";
import { data, useNavigation } from "react-router";
import { openSecrets } from "#domain/game-servers/adapter-secrets.ts";
import { askSoon, findAskedRecord, listLastSamples } from "#domain/game-servers/samples.ts";
import { appContext } from "#web/context.ts";
import { done, handleForm, permitted, refuseForNow, textOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { consumeExamination, doctorOf } from "#web/pages/game-doctor.ts";
import { here } from "../../../language.ts";
import { m } from "../../../paraglide/messages.js";
import { Alert } from "../../../ui/alert/alert.tsx";
import { Button } from "../../../ui/button/button.tsx";
import { DoctorResult } from "../../../ui/doctor-result/doctor-result.tsx";
import { LastResults } from "../../../ui/doctor-result/last-results.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { requireId } from "../asked-id.ts";
import type { Route } from "./+types/ask-now";
import css from "./ask-now.module.css";
import { headOf, requireGameServer } from "./asked-game-server.ts";
import { GameServerTabs } from "./tabs.tsx";

const SHOWN = 20;

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "gameservers:write");
  const { db } = context.get(appContext);
  const server = headOf(await requireGameServer(db, params.serverId));
  const samples = await listLastSamples(db, server.server_id, SHOWN);
  return {
    server,
    samples: samples.map(({ asked_at, ...sample }) => ({ ...sample, asked_at: asked_at.toISOString() })),
  };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("gameservers:write"),
    read: (form) => ({ type: textOf(form, "as", 300) }),
    async act({ given, app, member }) {
      const record = await findAskedRecord(app.db, requireId(asked.params.serverId));
      if (!record) throw data(null, { status: 404 });
      const secrets = openSecrets(app.secret, record.adapter_secrets);
      const wait_s = await consumeExamination(app, member.user_id);
      if (wait_s !== null) return refuseForNow(wait_s, m.doctor_wait({ count: wait_s }));
      const [diagnosis] = await Promise.all([
        doctorOf(app).examineRecord({ ...record, secrets }, given),
        askSoon(app.db, record.server_id),
      ]);
      return done(diagnosis);
    },
  });
}

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) => actionHeaders ?? loaderHeaders;

export default function AskNow({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  const { server, samples } = loaderData;
  const address = `/admin/gameservers/${server.server_id}`;
  const navigation = useNavigation();
  const busy = navigation.state !== "idle" && navigation.formMethod === "POST";
  const form = useId();
  const result = useRef<HTMLDivElement>(null);
  return (
    <div className={css.page}>
      <div>
        <GameServerTabs server={server} />
        <p className={css.note}>{m.ask_now_note()}</p>
      </div>
      <Form failed={m.failed_examine()} action={here(`${address}/ask-now`)} id={form} preventScrollReset>
        <Button type="submit" loading={busy}>
          {m.ask_now()}
        </Button>
      </Form>
      <div role="status" ref={result} tabIndex={-1}>
        {busy ? (
          <p>{m.doctor_asking()}</p>
        ) : actionData?.done ? (
          <DoctorResult
            diagnosis={actionData.done}
            takeTo={`${address}/edit`}
            heartbeatAt={`${address}/heartbeat`}
            again={{ form, onAsk: () => result.current?.focus() }}
          />
        ) : (
          actionData && <Alert tone="error">{actionData.problem}</Alert>
        )}
      </div>
      <LastResults samples={samples} />
    </div>
  );
}
