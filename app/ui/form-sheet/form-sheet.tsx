// Parts of a long form: named sections, fields side by side where there is room, and an aside.
import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { m } from "../../paraglide/messages.js";
import css from "./form-sheet.module.css";

/** Wraps a form's content. An address that ends in #NAME focuses that field and opens its fold. */
export function FormSheet({ children }: { children: ReactNode }) {
  const sheet = useRef<HTMLDivElement>(null);
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link once more leads there once more.
  useEffect(() => {
    const form = hash === "" ? null : sheet.current?.closest("form");
    const field = form && [...form.elements].find((one) => one.getAttribute("name") === hash.slice(1));
    if (!(field instanceof HTMLElement)) return;
    field.closest("details")?.setAttribute("open", "");
    field.focus();
  }, [hash, key]);
  return (
    <div ref={sheet} className={css.sheet}>
      {children}
    </div>
  );
}

/** A form with an aside: in its own column on wide screens, above it on others. */
export function FormBeside({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className={css.beside}>
      <div className={css.aside}>{aside}</div>
      <div className={css.main}>{children}</div>
    </div>
  );
}

/** Table of contents of a long form. */
export function FormContents({ sections }: { sections: { id: string; title: string }[] }) {
  return (
    <nav aria-label={m.admin_on_this_page()}>
      <ul className={css.contents}>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type SectionProps = { title: string; note?: ReactNode; id?: string; children: ReactNode };

/** `id`: target of links on the page. */
export function FormSection({ title, note, id, children }: SectionProps) {
  return (
    <fieldset className={css.section} id={id}>
      <legend className={css.legend}>{title}</legend>
      {note && <p className={css.note}>{note}</p>}
      {children}
    </fieldset>
  );
}

/** Fields side by side: `of` how many where there is room. */
export function FormRow({ of = 2, children }: { of?: 2 | 3; children: ReactNode }) {
  return (
    <div className={css.row} data-of={of}>
      {children}
    </div>
  );
}
