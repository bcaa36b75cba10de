// The step of the games: ticked in the catalogue, or all of the first ones by one press.
import { useNavigation } from "react-router";
import { m } from "../../../paraglide/messages.js";
import { Button, ButtonLink } from "../../../ui/button/button.tsx";
import { Form } from "../../../ui/form/form.tsx";
import { AnswerNotice } from "../../../ui/notice/answer-notice.tsx";
import css from "./setup.module.css";
import type { SetupAnswer, SetupData } from "./setup-actions.ts";

type Content = Extract<SetupData["content"], { is: "games" }>;

export function GamesStep({ content, answer }: { content: Content; answer: SetupAnswer | undefined }) {
  const busy = useNavigation().formData?.get("all_eight") === "on";
  return (
    <div className={css.outside}>
      <AnswerNotice answer={answer} />
      {content.there.length > 0 && (
        <p className={css.text}>{m.admin_setup_games_there({ games: content.there.join(", ") })}</p>
      )}
      <Form failed={m.failed_setup_step()}>
        <Button type="submit" name="all_eight" value="on" loading={busy}>
          {m.admin_setup_games_first()}
        </Button>
      </Form>
      <div>
        <ButtonLink to="/admin/games/create" variant="outlined">
          {m.admin_game_create()}
        </ButtonLink>
      </div>
    </div>
  );
}
