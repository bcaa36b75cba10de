// Renders coloured text of a game server: spans of plain text, in shades that are readable on our background.
import type { ToldLine } from "#shared/told-text.ts";
import styles from "./told-text.module.css";

/** One paragraph; keeps the game's lines, and wraps them if needed. */
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
