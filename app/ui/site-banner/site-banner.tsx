// Current lines for the page, under the bar: each links to details and can be dismissed. Loaded only if there are any.
import { useState, useSyncExternalStore } from "react";
import { useNonce } from "../../nonce.ts";
import { m } from "../../paraglide/messages.js";
import { Link } from "../link/link.tsx";
import type { SiteBannerItem } from "./banner-item.ts";
import { awayStore, HIDE_AT_ONCE } from "./put-away.ts";
import styles from "./site-banner.css?url";

const KINDS: Record<SiteBannerItem["kind"], () => string> = {
  news: m.banner_news,
  incident: m.banner_incident,
  plan: m.banner_plan,
};

const NOTHING: readonly string[] = [];

/** Place it at the beginning of `main`. */
export default function SiteBanner({ items }: { items: SiteBannerItem[] }) {
  const away = useSyncExternalStore(awayStore.subscribe, awayStore.read, () => NOTHING);
  const nonce = useNonce();
  const [isUnfolded, setUnfolded] = useState(false);
  const more = items.filter(({ key }) => !away.includes(key)).length - 1;
  function putAway(key: string) {
    awayStore.putAway(key);
    // The line disappears together with its focused button.
    document.getElementById("main")?.focus({ preventScroll: true });
  }
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="default" />
      <ul className="site-banner" aria-label={m.banner_label()} data-unfolded={isUnfolded || undefined}>
        {items.map(({ key, kind, text, lang, to }) => (
          // The script below has already hidden dismissed lines.
          <li key={key} data-banner={key} data-kind={kind} hidden={away.includes(key)} suppressHydrationWarning>
            <Link to={to}>
              <span className="site-banner-kind">{KINDS[kind]()}</span>
              <span className="site-banner-text" lang={lang}>
                {text}
              </span>
            </Link>
            <button type="button" onClick={() => putAway(key)} aria-label={m.banner_close({ text })}>
              <svg viewBox="0 0 16 16" aria-hidden="true">
                <path d="m4 4 8 8M12 4l-8 8" />
              </svg>
            </button>
          </li>
        ))}
        {items.length > 1 && (
          // The script counts the remaining ones before the first paint.
          <li data-banner-more hidden={more < 1} suppressHydrationWarning>
            <button
              type="button"
              aria-expanded={isUnfolded}
              onClick={() => setUnfolded(!isUnfolded)}
              suppressHydrationWarning
            >
              {isUnfolded ? m.banner_less() : m.banner_more({ count: more })}
            </button>
          </li>
        )}
      </ul>
      <script nonce={nonce}>{HIDE_AT_ONCE}</script>
    </>
  );
}
