// Long text: numbered sections, a table of contents, and a readable line length.
import { Fragment, type ReactNode } from "react";
import { language } from "../../language.ts";
import { m } from "../../paraglide/messages.js";
import { Link } from "../link/link.tsx";
import css from "./legal-text.module.css";

type Block = string | { list: string[] };

type Props = {
  title: string;
  /** ISO date of the last change. */
  updated?: string;
  intro: Block[];
  sections: { id: string; title: string; blocks: Block[] }[];
  /** Adds a table of contents, and numbers the sections. */
  contents?: boolean;
  /** Prefix of links within the site: "" or "/de". */
  prefix: string;
  /** Shown above the text. */
  notice?: ReactNode;
};

export function LegalText({ title, updated, intro, sections, contents, prefix, notice }: Props) {
  return (
    <div className={`page ${css.sheet}`} data-contents={contents ? "" : undefined}>
      <header className={css.head}>
        <h1>{title}</h1>
        {updated && (
          <p className={css.updated}>
            <time dateTime={updated}>{m.legal_updated({ day: longDay(updated) })}</time>
          </p>
        )}
        {notice}
      </header>
      {contents && (
        <nav className={css.contents} aria-labelledby="contents">
          <h2 id="contents" className={css.contentsTitle}>
            {m.legal_contents()}
          </h2>
          <ol>
            {sections.map((section) => (
              <li key={section.id}>
                <a href={`#${section.id}`}>{section.title}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <article className={css.text}>
        <Blocks blocks={intro} prefix={prefix} />
        {sections.map((section, index) => (
          <section key={section.id} aria-labelledby={section.id}>
            <h2 id={section.id} className={css.title}>
              {contents && <span className={css.number}>{index + 1}. </span>}
              {section.title}
            </h2>
            <Blocks blocks={section.blocks} prefix={prefix} />
          </section>
        ))}
      </article>
    </div>
  );
}

const longDay = (date: string) =>
  new Intl.DateTimeFormat(language(), { dateStyle: "long", timeZone: "UTC" }).format(new Date(date));

function Blocks({ blocks, prefix }: { blocks: Block[]; prefix: string }) {
  return blocks.map((block) =>
    typeof block === "string" ? (
      <p key={block}>
        <TextWithLinks text={block} prefix={prefix} />
      </p>
    ) : (
      <ul key={block.list[0]}>
        {block.list.map((item) => (
          <li key={item}>
            <TextWithLinks text={item} prefix={prefix} />
          </li>
        ))}
      </ul>
    ),
  );
}

const LINK = /\[([^\]]+)\]\(((?:\/|mailto:)[^)\s]*)\)/;

/** Renders [words](/address) as links. */
function TextWithLinks({ text, prefix }: { text: string; prefix: string }) {
  const parts = text.split(LINK);
  return parts.map((part, index) => {
    const key = `${index} ${part}`;
    if (index % 3 === 0) return <Fragment key={key}>{part}</Fragment>;
    if (index % 3 === 2) return null;
    const to = parts[index + 1] ?? "";
    return to.startsWith("mailto:") ? (
      <a key={key} href={to}>
        {part}
      </a>
    ) : (
      <Link key={key} to={`${prefix}${to}`}>
        {part}
      </Link>
    );
  });
}
