// Words that a game server sent with colours of its own: spans of plain text, in shades that can be read on our ground.
import type { ToldLine } from "#shared/told-text.ts";
import styles from "./told-text.module.css";

/** One paragraph; a line of the game is a line here, and wraps where it must. */
export function ToldText({ lines }: { lines: readonly ToldLine[] }) {
  return (
    <p className={styles.told}>
      {lines.map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place
        <bdi key={place}>
          {line.map(({ text, colour, bold, italic, underlined, struck }, at) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: spans have no name but their place
              key={at}
              data-colour={colour ?? undefined}
              data-bold={bold}
              data-italic={italic}
              data-underlined={underlined}
              data-struck={struck}
            >
              {text}
            </span>
          ))}
        </bdi>
      ))}
    </p>
  );
}
