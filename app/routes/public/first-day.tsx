// The home page before the first game server is there: what visitors will find, and for admins what comes next.
import { m } from "../../paraglide/messages.js";
import { ButtonAnchor, ButtonLink } from "../../ui/button/button.tsx";
import { EmptyState } from "../../ui/empty-state/empty-state.tsx";
import css from "./first-day.module.css";

/** The main act while there is no game server to go to: for admins the next step, for anybody else the way to the people. */
export function FirstAct({ maySetUp, discordUrl }: { maySetUp: boolean; discordUrl: string }) {
  if (maySetUp)
    return (
      <ButtonLink to="/admin/setup" size="l">
        {m.home_admin_go()}
      </ButtonLink>
    );
  return discordUrl ? (
    <ButtonAnchor href={discordUrl} size="l" rel="noopener noreferrer" target="_blank">
      {m.home_first_discord()}
      <span className="visually-hidden">{m.nav_other_site()}</span>
    </ButtonAnchor>
  ) : (
    <ButtonLink to="/contact" size="l">
      {m.home_first_contact()}
    </ButtonLink>
  );
}

type FirstDayProps = {
  /** Whether the reader may set the site up. */
  maySetUp: boolean;
  anyGame: boolean;
};

/** What will be here. */
export function FirstDay({ maySetUp, anyGame }: FirstDayProps) {
  return (
    <div className={css.panels}>
      {maySetUp && (
        <EmptyState title={m.home_admin_title()}>
          <p>{anyGame ? m.home_admin_servers() : m.home_admin_games()}</p>
        </EmptyState>
      )}
      <EmptyState title={m.home_first_title()}>
        <p>{m.home_first_text()}</p>
      </EmptyState>
    </div>
  );
}
