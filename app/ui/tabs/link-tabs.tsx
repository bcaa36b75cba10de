// Two views of one address, switched by its hash: both are rendered and shown by :target, so that they work without script.
import css from "./link-tabs.module.css";

type Props = {
  label: string;
  /** The first is the default. */
  tabs: [Tab, Tab];
  /** The active hash, once script knows it; null: by the address. */
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
