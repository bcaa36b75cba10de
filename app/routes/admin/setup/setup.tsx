// Sets up the site step by step: each can be skipped and resumed. Open ones are shown on the dashboard.
import type { RouteFacts } from "#web/pages/route-facts.ts";
import { m } from "../../../paraglide/messages.js";
import { AdminHeading } from "../../../ui/admin-heading/admin-heading.tsx";
import { useAnswer, useStill } from "../../../ui/form/use-answer.ts";
import type { PasteAnswer } from "../game-servers/paste/panel.tsx";
import type { Route } from "./+types/setup";
import { DoneStep } from "./done-step.tsx";
import { GamesStep } from "./games-step.tsx";
import { BackupStep, MailStep } from "./outside-steps.tsx";
import { Progress } from "./progress.tsx";
import { ServersStep } from "./servers-step.tsx";
import { SettingsStep } from "./settings-step.tsx";
import css from "./setup.module.css";
import { handleSetup, loadSetup, type SetupAnswer } from "./setup-actions.ts";
import { StepNav } from "./step-nav.tsx";
import { setupNote, setupTitle } from "./steps.ts";

/** Fits the logo, and two hundred pasted addresses. */
export const handle: RouteFacts = { takesFiles: true, maxBody: 512 * 1024 };

export const loader = (asked: Route.LoaderArgs) => loadSetup(asked);

export const action = (asked: Route.ActionArgs) => handleSetup(asked);

export const headers = ({ actionHeaders, loaderHeaders }: Route.HeadersArgs) => actionHeaders ?? loaderHeaders;

export default function Setup({ loaderData, actionData }: Route.ComponentProps) {
  const { setup, page } = loaderData;
  const waiting = page === "done" && !setup.live;
  return (
    <>
      <Progress setup={setup} page={page} />
      <AdminHeading
        title={waiting ? m.admin_setup_waiting_title() : setupTitle(page)}
        note={waiting ? m.admin_setup_waiting_note() : setupNote(page)}
      />
      {/* An answer to one step doesn't apply to the next. */}
      <Step key={page} data={loaderData} sent={actionData} />
    </>
  );
}

type Props = { data: Route.ComponentProps["loaderData"]; sent: Route.ComponentProps["actionData"] };

type Answer = SetupAnswer | PasteAnswer;
const isOfPanel = (answer: Answer): answer is PasteAnswer => "text" in answer.given;

function Step({ data: { setup, page, content }, sent }: Props) {
  const whole: Answer | undefined = useAnswer<Answer>(sent);
  const answer = whole && !isOfPanel(whole) ? whole : undefined;
  const first = useStill(content);
  return (
    <div className={css.step}>
      {first.is === "settings" && content.is === "settings" && (
        <SettingsStep page={page} content={{ ...first, logo: content.logo }} answer={answer} />
      )}
      {content.is === "games" && <GamesStep content={content} answer={answer} />}
      {content.is === "servers" && (
        <ServersStep content={content} answer={whole && isOfPanel(whole) ? whole : undefined} />
      )}
      {content.is === "mail" && <MailStep content={content} answer={answer} />}
      {content.is === "backup" && <BackupStep content={content} />}
      {content.is === "done" && <DoneStep setup={setup} address={content.address} />}
      {page !== "done" && <StepNav setup={setup} page={page} />}
    </div>
  );
}
