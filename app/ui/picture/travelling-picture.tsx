// A game's picture, which travels between the game's card, its page and its game servers' pages where the browser has view
// transitions. React runs them, not the router, which can end on a page that has been left already when somebody is quick.
import { type ReactNode, ViewTransition } from "react";

/** `game`: the address of the game's page. A page shows the picture of a game once. */
export function TravellingPicture({ game, children }: { game: string; children: ReactNode }) {
  return (
    <ViewTransition name={`picture${game.replaceAll("/", "-")}`} default="none" share="game-picture">
      {children}
    </ViewTransition>
  );
}
