// The end of every page: the brand, the legal pages, and the copyright line.
import { m } from "../../paraglide/messages.js";
import { LanguageSwitch } from "../language-switch/language-switch.tsx";
import { Link } from "../link/link.tsx";
import { Brand, type LogoFile } from "../top-bar/brand.tsx";
import css from "./footer.module.css";

const LINKS = [
  { to: "/contact", text: m.footer_contact },
  { to: "/impressum", text: m.footer_imprint },
  { to: "/privacy-policy", text: m.footer_privacy },
  { to: "/terms-of-service", text: m.footer_terms },
  { to: "/developers", text: m.developers_title },
];

export function Footer({ siteName, logo, year }: { siteName: string; logo: LogoFile | null; year: number }) {
  return (
    <footer className={css.footer}>
      <div className={css.inner}>
        <p className={css.brand}>
          <Brand siteName={siteName} logo={logo} />
        </p>
        <nav aria-label={m.footer_nav()}>
          <ul className={css.links}>
            {LINKS.map((link) => (
              <li key={link.to}>
                <Link to={link.to} className={css.link}>
                  {link.text()}
                </Link>
              </li>
            ))}
            <li>
              <LanguageSwitch className={css.link} />
            </li>
          </ul>
        </nav>
        <p className={css.rights}>{m.footer_rights({ year, site: siteName })}</p>
      </div>
    </footer>
  );
}
