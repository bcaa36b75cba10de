// The fixed bar on top of every page. Both menus are popovers: they open, and close by Esc or a click elsewhere, without script.
import type { ComponentProps } from "react";
import { formatNumber } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { AvatarMenu } from "../avatar-menu/avatar-menu.tsx";
import { LanguageSwitch } from "../language-switch/language-switch.tsx";
import { Link, NavLink } from "../link/link.tsx";
import { useMenuOfPage } from "../menu-of-page.ts";
import { Brand, type LogoFile } from "./brand.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";
import css from "./top-bar.module.css";

type Props = {
  siteName: string;
  /** Null: the drawn logo. */
  logo: LogoFile | null;
  /** In menu order. */
  games: { slug: string; name: string }[];
  /** Total, if the menu doesn't have them all. */
  gamesTotal?: number | undefined;
  /** The community's invite link; empty: no Discord item. */
  discordUrl: string;
  /** The logged-in member; null shows the login link. */
  member: ComponentProps<typeof AvatarMenu> | null;
  /** A static page doesn't know the member: neither is shown. */
  still?: boolean;
  /** Logged in, but the account can't be read now. */
  accountAway?: boolean;
};

export function TopBar(props: Props) {
  const { siteName, logo, games, gamesTotal, discordUrl, member, still = false, accountAway = false } = props;
  const menu = useMenuOfPage();
  const gamesMenu = useMenuOfPage();

  return (
    <header className={css.bar}>
      <div className={css.inner}>
        <button type="button" popoverTarget="site-menu" className={css.opener} aria-label={m.nav_menu()}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M3 6.5h14M3 13.5h9" />
          </svg>
        </button>
        <Link to="/" className={css.brand}>
          <Brand siteName={siteName} logo={logo} />
        </Link>
        <nav aria-label={m.nav_main()} className={css.nav}>
          <div id="site-menu" popover="auto" ref={menu} className={css.menu}>
            <ul className={css.items}>
              <li>
                <NavLink to="/" end className={css.item}>
                  {m.nav_home()}
                </NavLink>
              </li>
              {games.length > 0 && (
                <li className={css.games}>
                  <button type="button" popoverTarget="games-menu" className={`${css.item} ${css.gamesOpener}`}>
                    {m.nav_games()}
                    <svg viewBox="0 0 12 12" aria-hidden="true">
                      <path d="m2.5 4.5 3.5 3.5 3.5-3.5" />
                    </svg>
                  </button>
                  <div id="games-menu" popover="auto" ref={gamesMenu} className={css.gamesMenu}>
                    <p className={css.gamesLabel} aria-hidden="true">
                      {m.nav_games()}
                    </p>
                    <ul className={css.gamesList} aria-label={m.nav_games()}>
                      {games.map((game) => (
                        <li key={game.slug}>
                          <NavLink to={`/games/${game.slug}`} className={css.game}>
                            {game.name}
                          </NavLink>
                        </li>
                      ))}
                      {gamesTotal !== undefined && (
                        <li>
                          <NavLink to="/games" end className={css.game}>
                            {m.games_all({ count: formatNumber(gamesTotal) })}
                          </NavLink>
                        </li>
                      )}
                    </ul>
                  </div>
                </li>
              )}
              <li>
                <NavLink to="/dashboard" className={css.item}>
                  {m.nav_dashboard()}
                </NavLink>
              </li>
              {discordUrl && (
                <li>
                  <a href={discordUrl} rel="noopener noreferrer" target="_blank" className={css.item}>
                    Discord
                    <svg viewBox="0 0 12 12" aria-hidden="true">
                      <path d="M4.5 2.5h5v5M9.5 2.5l-7 7" />
                    </svg>
                    <span className="visually-hidden">{m.nav_other_site()}</span>
                  </a>
                </li>
              )}
              <li className={css.language}>
                <LanguageSwitch className={css.item} />
              </li>
            </ul>
          </div>
        </nav>
        <div className={css.end}>
          {!still && <ThemeSwitch />}
          {member ? (
            <AvatarMenu {...member} />
          ) : still || accountAway ? null : (
            <Link to="/login/" className={css.login}>
              {m.nav_login()}
            </Link>
          )}
        </div>
      </div>
    </header>
  );
}
