// Links the games and game servers that an article is about.
import { m } from "../../../paraglide/messages.js";
import { Link } from "../../../ui/link/link.tsx";
import css from "./news.module.css";

export function About({ things }: { things: { to: string; name: string }[] }) {
  if (things.length === 0) return null;
  return (
    <ul className={css.about} aria-label={m.news_about()}>
      {things.map(({ to, name }) => (
        <li key={to}>
          <Link to={to}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}
