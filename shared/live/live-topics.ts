// Defines the topics of a stream, written the same in an address, in a body and between the tabs of a browser.
import type { Shows } from "./shown-figures.ts";

/** `site`: the totals of the site; `g` and an id: those of a game; `s` and an id: one game server. */
export type Topic = string;

export const SITE_TOPIC: Topic = "site";
export const gameTopic = (gameId: number): Topic => `g${gameId}`;
export const serverTopic = (serverId: number): Topic => `s${serverId}`;

/** More than any page shows; limits what a stream costs. */
export const MOST_TOPICS = 600;
export const MOST_TOPICS_LENGTH = 6 * 1024;

const WORD = /^(?:site|[gs][1-9][0-9]{0,9})$/;

/** Gets the topics for what a page or a program shows. */
export function topicsOf({ site = false, games = [], servers = [] }: Shows): Topic[] {
  return [...(site ? [SITE_TOPIC] : []), ...games.map(gameTopic), ...servers.map(serverTopic)];
}

/** Parses topics, each once, sorted so that the same ones give the same text; skips invalid words. Null: too many. */
export function readTopics(text: string): Topic[] | null {
  if (text.length > MOST_TOPICS_LENGTH) return null;
  const topics = new Set(text.split(",").filter((word) => WORD.test(word)));
  return topics.size > MOST_TOPICS ? null : [...topics].sort();
}

/** Gets the id of a topic's game server; null: a topic of totals. */
export const serverOf = (topic: Topic): number | null =>
  topic[0] === "s" && topic !== SITE_TOPIC ? Number(topic.slice(1)) : null;

/** Gets the id of the game of these totals. */
export const gameOf = (topic: Topic): number | null => (topic[0] === "g" ? Number(topic.slice(1)) : null);
