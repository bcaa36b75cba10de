// Title of a page for tabs, bookmarks and history: the page, then the site.
import { createContext, use } from "react";

/** The site's name, set by the frame of every page; null if the frame itself failed. */
export const SiteNameContext = createContext<string | null>(null);

/** `children`: the page's title as one text. */
export function PageTitle({ children }: { children: string }) {
  const site = use(SiteNameContext);
  return <title>{site === null ? children : `${children} – ${site}`}</title>;
}
