// Setup step of the games: tick them in the catalogue, or add all recommended ones with one button.
import { useNavigation } from "react-router";
import { m } from "../../../paraglide/messages.js";
import { GamePicker } from "../../../ui/game-picker/game-picker.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import css from "./setup.module.css";
import type { SetupAnswer, SetupData } from "./setup-actions.ts";

type Content = Extract<SetupData["content"], { is: "games" }>;

export function GamesStep({ content, answer }: { content: Content; answer: SetupAnswer | undefined }) {
  const { state, formData } = useNavigation();
  const busy = state === "submitting" && formData?.get("intent") !== "skip";
  return (
    <div className={css.outside}>
      <AnswerNotice answer={answer} />
      <GamePicker {...content} keep={{ step: "games" }} failed={m.failed_setup_step()} busy={busy} />
    </div>
  );
}
