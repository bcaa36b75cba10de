// A catalogue game for pickers, and texts for its facts.
import { ADAPTER_FACTS, type AdapterId } from "#shared/adapters.ts";
import { m } from "../../paraglide/messages.js";

export type PickerGame = {
  /** Submitted value. */
  value: string;
  name: string;
  acronym: string;
  aliases: readonly string[];
  adapter: AdapterId;
  gamePort: number | null;
  queryPort: number | null;
  /** One of the eight with their own picture and guide. */
  first: boolean;
  /** Address of a small picture. */
  thumb: string;
};

/** Describes its ports; null without usual ones. */
export function portsText({ gamePort, queryPort }: PickerGame): string | null {
  if (gamePort === null) return null;
  const port = String(gamePort);
  return queryPort === null
    ? m.admin_catalogue_port({ port })
    : m.admin_catalogue_ports({ port, query: String(queryPort) });
}

/** Describes how it is polled, and so what will be known of its servers. */
export function askedText({ adapter }: PickerGame): string {
  const { needs, tells } = ADAPTER_FACTS[adapter];
  return m.admin_catalogue_asked({ known: !needs.address ? "itself" : tells.players ? "players" : "up" });
}
