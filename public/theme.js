// Runs before the first paint: pages come from a cache that is the same for everybody, the choice lives in this browser. The
// document brings the own setting of a member along; what was chosen in this browser goes before it.
try {
  const chosen = localStorage.theme || /(?:^|; )theme=(dark|light)/.exec(document.cookie)?.[1];
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  if (document.documentElement.dataset.theme === "light") {
    document.querySelector("meta[name=theme-color]").content = "#f5f2ed";
  }
  if (sessionStorage.demoBanner === "closed") document.documentElement.dataset.demoBanner = "closed";
} catch {}
// Whoever was led here from another address (web/pages/lead-home.ts) has that written in this one until the page stands.
addEventListener("load", () => {
  const { pathname, search, hash } = location;
  const own = search.replace(/[?&]led-here$/, "");
  if (own !== search) history.replaceState(history.state, "", pathname + own + hash);
});
// The switch in the top bar (app/ui/top-bar/theme-switch.tsx), and what puts the demo's strip away: both work at once, and on
// pages that have no other script.
addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  const { dataset } = document.documentElement;
  if (target.closest("[data-theme-switch]")) {
    dataset.theme = dataset.theme === "light" ? "dark" : "light";
    const ground = dataset.theme === "light" ? "#f5f2ed" : "#0c0908";
    for (const meta of document.querySelectorAll("meta[name=theme-color]")) meta.content = ground;
    try {
      localStorage.theme = dataset.theme;
    } catch {
      // Storage can be closed to us; the page is turned until it is left.
    }
  }
  if (target.closest("[data-close-demo]")) {
    dataset.demoBanner = "closed";
    try {
      sessionStorage.demoBanner = "closed";
    } catch {}
    document.getElementById("main")?.focus({ preventScroll: true });
  }
});
