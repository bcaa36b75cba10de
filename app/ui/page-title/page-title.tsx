// The title of a page as tabs, bookmarks and histories show it: what the page is, and at its end whose site.
import { createContext, use } from "react";

/** The site's name, given by the frame around every page; null where the frame itself has failed. */
export const SiteNameContext = createContext<string | null>(null);

/** `children`: what the page is, one text. */
export function PageTitle({ children }: { children: string }) {
  const site = use(SiteNameContext);
  return <title>{site === null ? children : `${children} – ${site}`}</title>;
}
