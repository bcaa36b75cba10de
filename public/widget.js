// Renews a widget: asks for its page again and takes over what it says. Without this it shows what it said at first.
const EVERY_MS = 30_000;

async function renew() {
  if (document.visibilityState !== "visible" || document.querySelector("main")?.matches(":focus-within")) return;
  const response = await fetch(location.href, { cache: "no-cache", credentials: "omit" });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const main = page.querySelector("main");
  const shown = document.querySelector("main");
  if (main && shown && main.innerHTML !== shown.innerHTML) shown.replaceWith(document.adoptNode(main));
}

// Each at its own moment, so that a page's visitors do not all ask at once.
setInterval(() => renew().catch(() => {}), EVERY_MS * (0.9 + Math.random() * 0.2));
