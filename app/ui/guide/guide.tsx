// "How to get started": numbered steps and boxes, filled from a game server's record.
import type { ReactNode } from "react";
import { m } from "../../paraglide/messages.js";
import { PageIcon } from "../icon/more-icons.tsx";
import { Link } from "../link/link.tsx";
import type { FilledText, Piece } from "./fill-guide.ts";
import styles from "./guide.module.css";

/** Steps in order; boxes (troubleshooting, notes) beside them where there is room. */
export function Guide({ steps, boxes }: { steps: FilledText[]; boxes: FilledText[] }) {
  return (
    <div className={styles.guide} data-boxes={boxes.length > 0 ? "some" : "none"}>
      <ol className={styles.steps}>
        {steps.map((step, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same text, and their order is theirs
          <li key={place} className={styles.step}>
            <h3 className={styles.title}>
              <Pieces of={step.title} />
            </h3>
            <Body of={step} />
          </li>
        ))}
      </ol>
      {boxes.length > 0 && (
        <div className={styles.boxes}>
          {boxes.map((box, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same text, and their order is theirs
            <aside key={place} className={styles.box}>
              <h3 className={styles.title}>
                <Pieces of={box.title} />
              </h3>
              <Body of={box} />
            </aside>
          ))}
        </div>
      )}
    </div>
  );
}

function Body({ of: { text, links } }: { of: FilledText }) {
  return (
    <>
      {text.length > 0 && (
        <p>
          <Pieces of={text} />
        </p>
      )}
      {links.length > 0 && (
        <ul className={styles.links}>
          {links.map((link, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same text, and their order is theirs
            <li key={place}>
              {link.url ? (
                <Away to={link.url}>
                  <Pieces of={link.label} />
                  <PageIcon shape="arrow-up-right" size={16} />
                </Away>
              ) : (
                <span className={styles.missing}>
                  {m.guide_link_missing({ link: link.label.map(({ text }) => text).join("") })}{" "}
                  <Link to="/contact">{m.guide_link_ask()}</Link>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Sets values of the record apart, isolates them from the text direction, and selects them as a whole. */
function Pieces({ of: pieces }: { of: Piece[] }) {
  return pieces.map((piece) => {
    if (piece.href)
      return (
        <Away key={piece.at} to={piece.href}>
          <bdi>{piece.text}</bdi>
        </Away>
      );
    return piece.value ? (
      <bdi key={piece.at} className={styles.value}>
        {piece.text}
      </bdi>
    ) : (
      piece.text
    );
  });
}

/** Links to the site keep the language; others get no referrer. */
function Away({ to, children }: { to: string; children: ReactNode }) {
  return to.startsWith("/") ? (
    <Link to={to}>{children}</Link>
  ) : (
    <a href={to} rel="noreferrer">
      {children}
    </a>
  );
}
