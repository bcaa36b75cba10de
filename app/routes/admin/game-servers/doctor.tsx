// The doctor: an admin pastes an address and sees what answers there, or why nothing does.
import { data } from "react-router";
import { listPickableGames } from "#domain/game-servers/doctor.ts";
import { appContext } from "#web/context.ts";
import { requirePermission } from "#web/guards.ts";
import { chargeExamination, doctorOf } from "#web/pages/game-doctor.ts";
import { readForm } from "#web/request/read-form.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { type DoctorAnswer, DoctorPanel } from "../../../ui/doctor-result/doctor-panel.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import type { Route } from "./+types/doctor";

export function loader({ context, request }: Route.LoaderArgs) {
  requirePermission({ context, request }, "gameservers:write");
  const address = new URL(request.url).searchParams.get("address") ?? "";
  return { games: listPickableGames(), address: address.slice(0, 300) };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { user_id } = requirePermission({ context, request }, "gameservers:write");
  const app = context.get(appContext);
  const form = await readForm(request);
  const field = (name: string) => String(form.get(name) ?? "").slice(0, 300);
  const asked = { typed: field("address"), type: field("type") };
  const wait_s = await chargeExamination(app, user_id);
  if (wait_s !== null) {
    const answer: DoctorAnswer = { ...asked, diagnosis: null, wait_s };
    return data(answer, { status: 429, headers: { "Retry-After": String(wait_s) } });
  }
  const diagnosis = await doctorOf(app).examine(asked.typed, { type: asked.type });
  const answer: DoctorAnswer = { ...asked, diagnosis, wait_s: null };
  return data(answer);
}

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) => actionHeaders ?? loaderHeaders;

export default function Doctor({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  return (
    <>
      <AdminHeading
        title={m.doctor_title()}
        up={{ to: "/admin/gameservers", words: m.admin_gameservers() }}
        note={m.doctor_note()}
      />
      <DoctorPanel games={loaderData.games} address={loaderData.address} answer={actionData} />
    </>
  );
}
