// Stores dismissed banner lines in this browser, because pages are the same for everyone.

const NAME = "bannersAway";
/** Only the latest; older lines are no longer shown. */
const MOST = 40;

let kept: { text: string; keys: readonly string[] } = { text: "", keys: [] };
const listeners = new Set<() => void>();

function stored(): string {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    // Where storage is blocked, dismissals last until the page is left.
    return kept.text;
  }
}

/** Returns the keys; the same list while nothing changed. */
function read(): readonly string[] {
  const text = stored();
  if (text !== kept.text) kept = { text, keys: text.split(" ") };
  return kept.keys;
}

/** For `useSyncExternalStore`, with `putAway` to change it. */
export const awayStore = {
  read,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  putAway(key: string) {
    const keys = [...read().filter((one) => one !== "" && one !== key), key].slice(-MOST);
    kept = { text: keys.join(" "), keys };
    try {
      localStorage.setItem(NAME, kept.text);
    } catch {
      // As above.
    }
    for (const listener of listeners) listener();
  },
};

/** Runs right behind the lines, before the first paint. Contains no characters that HTML would escape. */
export const HIDE_AT_ONCE =
  "try{let n=0;for(const e of document.querySelectorAll(`[data-banner]`))e.hidden=(localStorage.bannersAway||``).split(` `).includes(e.dataset.banner)||!++n;const m=document.querySelector(`[data-banner-more]`);if(m){m.hidden=[0,1].includes(n);m.firstChild.textContent=m.firstChild.textContent.replace(/\\d+/,n-1)}}catch{}";
