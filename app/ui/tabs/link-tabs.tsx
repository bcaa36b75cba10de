// Two views of one address, chosen by its hash: links to views that are all there and shown by :target, so that they work
// without script.
import css from "./link-tabs.module.css";

type Props = {
  label: string;
  /** The first one is on top when the address has no hash of these. */
  tabs: [Tab, Tab];
  /** The hash on top, once script knows it; null: the address alone says it. */
  shown: string | null;
};
type Tab = { hash: string; label: string };

export function LinkTabs({ label, tabs, shown }: Props) {
  return (
    <nav aria-label={label} className={css.tabs} data-by-address={shown === null ? "" : undefined}>
      {tabs.map(({ hash, label }) => (
        <a key={hash} href={`#${hash}`} className={css.tab} aria-current={shown === hash ? "true" : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
