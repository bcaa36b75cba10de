// Adds many addresses at once: each pasted one is examined and becomes a row to confirm.
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../../../paraglide/messages.js";
import { AdminHeading } from "../../../../ui/admin-heading/admin-heading.tsx";
import { useAnswer } from "../../../../ui/form/use-answer.ts";
import type { Route } from "./+types/paste";
import { PastePanel } from "./panel.tsx";
import { handlePaste, loadPaste } from "./paste-actions.ts";

/** Two hundred rows with a name and a game each, or as many lines of text. */
export const handle: RouteFacts = { maxBody: 512 * 1024 };

const AT = "/admin/gameservers/paste";

export const loader = (asked: Route.LoaderArgs) => loadPaste(asked);

export const action = (asked: Route.ActionArgs) => handlePaste(asked, AT);

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) => actionHeaders ?? loaderHeaders;

export default function Paste({ loaderData, ...props }: Route.ComponentProps) {
  const actionData = useAnswer(props.actionData);
  return (
    <>
      <AdminHeading
        title={m.admin_paste()}
        up={{ to: "/admin/gameservers", label: m.admin_gameservers() }}
        note={m.admin_paste_note()}
      />
      <PastePanel data={loaderData} answer={actionData} at={AT} />
    </>
  );
}
