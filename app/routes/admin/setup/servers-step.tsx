// Setup step of the game servers: the panel for pasted addresses.
import { m } from "../../../paraglide/messages.js";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { type PasteAnswer, PastePanel } from "../game-servers/paste/panel.tsx";
import type { SetupData } from "./setup-actions.ts";
import { pageAfter, setupAddress } from "./steps.ts";

type Content = Extract<SetupData["content"], { is: "servers" }>;

export function ServersStep({ content: { paste }, answer }: { content: Content; answer: PasteAnswer | undefined }) {
  const onward = <ButtonLink to={setupAddress(pageAfter("servers"))}>{m.admin_setup_on()}</ButtonLink>;
  return <PastePanel data={paste} answer={answer} at={setupAddress("servers")} onward={onward} />;
}
