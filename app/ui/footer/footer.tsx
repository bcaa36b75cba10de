// Footer of every page: brand, links to pages that ask for one (web/pages/route-facts.ts), and copyright line.
import { m } from "../../paraglide/messages.js";
import { LanguageSwitch } from "../language-switch/language-switch.tsx";
import { Link } from "../link/link.tsx";
import { Brand, type LogoFile } from "../top-bar/brand.tsx";
import css from "./footer.module.css";

type Props = {
  siteName: string;
  logo: LogoFile | null;
  /** `to` is an English address of the site. */
  links: { to: string; text: string }[];
  /** "2023–2026". */
  years: string;
};

export function Footer({ siteName, logo, links, years }: Props) {
  return (
    <footer className={css.footer}>
      <div className={css.inner}>
        <p className={css.brand}>
          <Brand siteName={siteName} logo={logo} />
        </p>
        <nav aria-label={m.footer_nav()}>
          <ul className={css.links}>
            {links.map(({ to, text }) => (
              <li key={to}>
                <Link to={to} className={css.link}>
                  {text}
                </Link>
              </li>
            ))}
            <li>
              <LanguageSwitch className={css.link} />
            </li>
          </ul>
        </nav>
        <p className={css.rights}>{m.footer_rights({ years, site: siteName })}</p>
      </div>
    </footer>
  );
}
