// Converts between form texts and game server fields (domain/game-servers/fields.ts); on the server only.
import { fromTexts, toTexts } from "#domain/form-text.ts";
import { type GameServerFields, gameServerFields, newGameServerFields } from "#domain/game-servers/fields.ts";
import type { GameServerTexts } from "./fields.ts";
import { optionsFrom, optionTexts } from "./option-texts.ts";

const plainFields = gameServerFields.omit({ adapter_options: true, links: true });

/** Converts a game server to the form. Times are in UTC. */
export function toForm({ adapter_options, links, ...fields }: GameServerFields): GameServerTexts {
  return {
    ...toTexts(plainFields, fields),
    mods: fields.mods.join("\n"),
    options: optionTexts(adapter_options),
    links,
  };
}

/** Converts the form for `gameServerShape` to check. */
export const fromForm = ({ links, options, ...texts }: GameServerTexts) => ({
  ...fromTexts(plainFields, texts),
  // One per line: names of mods have commas.
  mods: texts.mods.split("\n"),
  adapter_options: optionsFrom(options),
  links,
});

/** Form of a new game server: published as soon as it is saved. */
export const NEW_GAME_SERVER: GameServerTexts = {
  ...toForm(newGameServerFields.parse({ game_id: 1, server_name: "-", adapter: "a2s", visibility: "public" })),
  game_id: "",
  server_name: "",
};
