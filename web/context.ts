// What every loader can reach, set for each request by the page renderer.
import { createContext } from "react-router";
import type { SiteReader } from "./site-snapshot.ts";

/** The site as this process last read it, cut to what the person who asks may see. */
export const siteContext = createContext<SiteReader>();

/** The mark of the inline scripts that are ours, made anew for each rendering. */
export const nonceContext = createContext<string>();
