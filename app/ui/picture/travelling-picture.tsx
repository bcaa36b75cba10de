// A game's picture, with a view transition between the game's card, its page and its servers' pages. Run by React, not the router,
// which can end on a page that was already left after fast navigation.
import { type ReactNode, ViewTransition } from "react";

/** `game`: address of the game's page. Use it once per page and game. */
export function TravellingPicture({ game, children }: { game: string; children: ReactNode }) {
  return (
    <ViewTransition name={`picture${game.replaceAll("/", "-")}`} default="none" share="game-picture">
      {children}
    </ViewTransition>
  );
}
