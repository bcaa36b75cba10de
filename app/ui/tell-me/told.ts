// Stores what this browser follows, as last received: for the button before any request.
import { useSyncExternalStore } from "react";
import { type ShownFollow, TOLD_ITEM, type WantedFollow } from "#shared/push.ts";

const MOST = 200;

/** Subject of a follow: one game server, or all of a game. */
export type About = Pick<WantedFollow, "server_id" | "game_id">;

/** Channel: this browser, or a member's mail. */
export type Place = "device" | "mail";

const listeners = new Set<() => void>();
let known = { text: "", marks: new Set<string>() };

const markOf = (place: Place, { server_id, game_id }: { [Key in keyof About]?: About[Key] | null }) =>
  `${place} ${server_id ? `server ${server_id}` : game_id ? `game ${game_id}` : "site"}`;

/** Reads and validates the stored marks. Where storage is blocked, they last as long as the page. */
function read(): Set<string> {
  let text = known.text;
  try {
    text = localStorage.getItem(TOLD_ITEM) ?? "";
  } catch {}
  if (text !== known.text) known = { text, marks: new Set(text.split(",").filter(Boolean).slice(0, MOST)) };
  return known.marks;
}

function subscribe(listener: () => void) {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === TOLD_ITEM || key === null) listener();
  };
  listeners.add(listener);
  addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", onStorage);
  };
}

/** Returns whether this browser, or this member by mail, follows it; false on the server and until hydration. */
export function useTold(about: About, member: boolean): boolean {
  return useSyncExternalStore(
    subscribe,
    () => read().has(markOf("device", about)) || (member && read().has(markOf("mail", about))),
    () => false,
  );
}

/** Stores the follows that the site has just returned. */
export function keepTold(place: Place, follows: readonly ShownFollow[]): void {
  const others = [...read()].filter((mark) => !mark.startsWith(`${place} `));
  const marks = new Set([...others, ...follows.map((follow) => markOf(place, follow))].slice(-MOST));
  known = { text: [...marks].join(","), marks };
  try {
    localStorage.setItem(TOLD_ITEM, known.text);
  } catch {}
  for (const listener of listeners) listener();
}
