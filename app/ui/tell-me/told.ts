// Which game servers and games this browser is told of, as it last heard: what the button shows before anything is asked for.
import { useSyncExternalStore } from "react";
import { type ShownFollow, TOLD_ITEM, type WantedFollow } from "#shared/push.ts";

const MOST = 200;

/** What is followed: one game server, or all of a game. */
export type About = Pick<WantedFollow, "server_id" | "game_id">;

/** Where somebody is told: by this browser, or by mail as a member. */
export type Place = "device" | "mail";

const listeners = new Set<() => void>();
let known = { text: "", marks: new Set<string>() };

const markOf = (place: Place, { server_id, game_id }: { [Key in keyof About]?: About[Key] | null }) =>
  `${place} ${server_id ? `server ${server_id}` : game_id ? `game ${game_id}` : "site"}`;

/** What somebody else may have written there is checked. Storage can be closed to us: then they last as long as the page. */
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

/** Whether this browser, or this member by mail, is told of it; false on the server and until the page is alive. */
export function useTold(about: About, member: boolean): boolean {
  return useSyncExternalStore(
    subscribe,
    () => read().has(markOf("device", about)) || (member && read().has(markOf("mail", about))),
    () => false,
  );
}

/** Keeps what the site has just said: all that is followed there now. */
export function keepTold(place: Place, follows: readonly ShownFollow[]): void {
  const others = [...read()].filter((mark) => !mark.startsWith(`${place} `));
  const marks = new Set([...others, ...follows.map((follow) => markOf(place, follow))].slice(-MOST));
  known = { text: [...marks].join(","), marks };
  try {
    localStorage.setItem(TOLD_ITEM, known.text);
  } catch {}
  for (const listener of listeners) listener();
}
