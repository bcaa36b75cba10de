// What every loader can reach, set for each request by the page renderer.
import { createContext } from "react-router";
import type { SiteReader } from "./live-hub.ts";

/** The site as this process last read it. */
export const siteContext = createContext<SiteReader>();

/** The mark of the inline scripts that are ours, made anew for each rendering. */
export const nonceContext = createContext<string>();
