// A game of the catalogue as a list of choices shows it, and the words for its facts.
import { ADAPTER_FACTS, type AdapterId } from "#shared/adapters.ts";
import { m } from "../../paraglide/messages.js";

export type PickerGame = {
  /** What is sent when it is chosen. */
  value: string;
  name: string;
  acronym: string;
  aliases: readonly string[];
  adapter: AdapterId;
  gamePort: number | null;
  queryPort: number | null;
  /** One of the eight that come with a picture and a guide of their own. */
  first: boolean;
  /** The address of a small picture. */
  thumb: string;
};

/** Its ports in a few words; null where it has no usual one. */
export function portsText({ gamePort, queryPort }: PickerGame): string | null {
  if (gamePort === null) return null;
  const port = String(gamePort);
  return queryPort === null
    ? m.admin_catalogue_port({ port })
    : m.admin_catalogue_ports({ port, query: String(queryPort) });
}

/** How it is asked: what will be known of its game servers. */
export function askedText({ adapter }: PickerGame): string {
  const { needs, tells } = ADAPTER_FACTS[adapter];
  return m.admin_catalogue_asked({ known: !needs.address ? "itself" : tells.players ? "players" : "up" });
}
