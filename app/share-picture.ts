// Which picture a link to a page shows where people share it. Made by loaders, because the address needs a host in front.
import type { SiteSnapshot } from "#web/site-snapshot.ts";
import type { SharePicture } from "./share-tags.ts";

/** The site's own picture. */
export const sitePicture = (site: Pick<SiteSnapshot, "site_url" | "settings">): SharePicture => ({
  url: new URL("/og-default.jpg", site.site_url).href,
  alt: site.settings.site_name,
});
