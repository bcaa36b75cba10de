// What every loader can reach: the site as this process last read it.
import { createContext } from "react-router";
import type { SiteReader } from "./live-hub.ts";

/** The live hub's reading side; set for every request by the request handler. */
export const siteContext = createContext<SiteReader>();
