// Starts the page's scripts after its first frame, since it works without them: on a slow line its picture isn't delayed by them.

/** A background tab paints no frame, but must still follow its game servers. */
const LONGEST_WAIT_MS = 1_000;

const shown = new Promise<void>((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  setTimeout(resolve, LONGEST_WAIT_MS);
});

void shown.then(() => import("./hydrate.tsx"));
