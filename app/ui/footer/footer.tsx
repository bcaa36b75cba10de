// The end of every page: the brand, the legal pages, and the copyright line.
import { Link } from "react-router";
import { BrandMark } from "../top-bar/brand-mark.tsx";
import css from "./footer.module.css";

const LINKS = [
  { to: "/contact", text: "Contact" },
  { to: "/impressum", text: "Imprint" },
  { to: "/privacy-policy", text: "Privacy policy" },
  { to: "/terms-of-service", text: "Terms of service" },
];

export function Footer({ siteName, year }: { siteName: string; year: number }) {
  return (
    <footer className={css.footer}>
      <div className={css.inner}>
        <p className={css.brand}>
          <BrandMark />
          {siteName}
        </p>
        <nav aria-label="Footer">
          <ul className={css.links}>
            {LINKS.map((link) => (
              <li key={link.to}>
                <Link to={link.to} className={css.link}>
                  {link.text}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <p className={css.rights}>{`© 2023 – ${year} ${siteName}`}</p>
      </div>
    </footer>
  );
}
