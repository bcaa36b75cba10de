// Defines text that a game server sent with its own colours, as data: anything not in these lists is never shown.

/** The sixteen colours of Minecraft's texts, by the game's names; each theme has its own shade of them. */
export const TOLD_COLOURS = [
  "black",
  "dark_blue",
  "dark_green",
  "dark_aqua",
  "dark_red",
  "dark_purple",
  "gold",
  "gray",
  "dark_gray",
  "blue",
  "green",
  "aqua",
  "red",
  "light_purple",
  "yellow",
  "white",
] as const;
export type ToldColour = (typeof TOLD_COLOURS)[number];

/** The style of a piece of text; `colour` null: as the text around it. */
export type ToldStyle = {
  colour: ToldColour | null;
  bold?: true;
  italic?: true;
  underlined?: true;
  struck?: true;
};

/** A piece of plain text, never markup. */
type ToldSpan = ToldStyle & { text: string };

export type ToldLine = ToldSpan[];
