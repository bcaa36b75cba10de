// Which lines of the banner this reader has put away: kept in this browser, because pages are the same for everybody.

const NAME = "bannersAway";
/** The last ones; what is older is no longer said. */
const MOST = 40;

let kept: { text: string; keys: readonly string[] } = { text: "", keys: [] };
const listeners = new Set<() => void>();

function stored(): string {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    // Storage can be closed to us; what is put away stays so until the page is left.
    return kept.text;
  }
}

/** The keys, the same list as long as nothing changed. */
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

/**
 * Runs in the page right behind the lines, before the first paint. None of its signs needs an escape in HTML.
 */
export const HIDE_AT_ONCE =
  "try{let n=0;for(const e of document.querySelectorAll(`[data-banner]`))e.hidden=(localStorage.bannersAway||``).split(` `).includes(e.dataset.banner)||!++n;const m=document.querySelector(`[data-banner-more]`);if(m){m.hidden=[0,1].includes(n);m.firstChild.textContent=m.firstChild.textContent.replace(/\\d+/,n-1)}}catch{}";
