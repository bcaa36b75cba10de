// Runs before the first paint: pages come from a cache that is the same for everybody, the choice lives in this browser.
try {
  if (localStorage.theme === "light") {
    document.documentElement.dataset.theme = "light";
    document.querySelector("meta[name=theme-color]").content = "#f5f2ed";
  }
  if (sessionStorage.demoBanner === "closed") document.documentElement.dataset.demoBanner = "closed";
} catch {}
