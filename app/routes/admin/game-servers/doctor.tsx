// The doctor: shows what answers at a pasted address, or why nothing does.
import { done, handleForm, permitted, refuseForNow, textOf } from "#web/forms/handle-form.ts";
import { requirePermission } from "#web/guards.ts";
import { consumeExamination, doctorOf } from "#web/pages/game-doctor.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { DoctorPanel } from "../../../ui/doctor-result/doctor-panel.tsx";
import { useAnswer } from "../../../ui/form/use-answer.ts";
import { listPickerTypes } from "../games/picker-games.ts";
import type { Route } from "./+types/doctor";

export function loader({ context, url }: Route.LoaderArgs) {
  requirePermission({ context, url }, "gameservers:write");
  const address = url.searchParams.get("address") ?? "";
  return { games: listPickerTypes(), address: address.slice(0, 300) };
}

export function action(asked: Route.ActionArgs) {
  return handleForm(asked, {
    who: permitted("gameservers:write"),
    read: (form) => ({ address: textOf(form, "address", 300), type: askedAs(form) }),
    async act({ given, app, member }) {
      const wait_s = await consumeExamination(app, member.user_id);
      if (wait_s !== null) return refuseForNow(wait_s, m.doctor_wait({ count: wait_s }));
      return done(await doctorOf(app).examine(given.address, { type: given.type }));
    },
  });
}

/** Returns the game of the pressed button, or else the one that was picked. */
const askedAs = (form: FormData) => textOf(form, "as", 300) || textOf(form, "type", 300);

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) => actionHeaders ?? loaderHeaders;

export default function Doctor({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  return (
    <>
      <AdminHeading
        title={m.doctor_title()}
        up={{ to: "/admin/gameservers", label: m.admin_gameservers() }}
        note={m.doctor_note()}
      />
      <DoctorPanel games={loaderData.games} address={loaderData.address} answer={actionData} />
    </>
  );
}
