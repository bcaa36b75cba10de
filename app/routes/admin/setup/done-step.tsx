// Last page of the setup: the site's address, and open steps.
import type { Setup } from "#domain/site/setup.ts";
import { m } from "../../../paraglide/messages.js";
import { ButtonLink } from "../../../ui/button/button.tsx";
import { Picture } from "../../../ui/picture/picture.tsx";
import { SetupAct } from "./act.tsx";
import { LeftSteps } from "./checklist.tsx";
import css from "./done-step.module.css";
import { setupAddress } from "./steps.ts";

/** `address`: the site's public address. */
export function DoneStep({ setup, address }: { setup: Setup; address: string }) {
  const left = setup.steps.filter(({ done }) => !done);
  return (
    <div className={css.done}>
      {setup.live ? (
        <div className={css.arrived}>
          <div className={css.picture} aria-hidden="true">
            <Picture name="slide-1" alt="" sizes="(width < 62rem) 100vw, 60rem" />
          </div>
          <p className={css.address}>{address.replace(/^https?:\/\//, "")}</p>
          <ButtonLink to="/" size="l">
            {m.admin_setup_open()}
          </ButtonLink>
        </div>
      ) : (
        <div>
          <ButtonLink to={setupAddress("servers")} size="l">
            {m.admin_setup_waiting_act()}
          </ButtonLink>
        </div>
      )}
      {left.length > 0 && (
        <section aria-labelledby="setup-left" className={css.left}>
          <h2 id="setup-left">{m.admin_setup_left()}</h2>
          <p className={css.note}>{setup.put_away ? m.admin_setup_left_away() : m.admin_setup_left_note()}</p>
          <LeftSteps setup={setup} />
          {setup.put_away && (
            <SetupAct intent="bring-back" look="outlined">
              {m.admin_setup_bring_back()}
            </SetupAct>
          )}
        </section>
      )}
      <div>
        <ButtonLink to="/admin/dashboard" variant="outlined">
          {m.admin_setup_dashboard()}
        </ButtonLink>
      </div>
    </div>
  );
}
