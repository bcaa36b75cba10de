// Whether a page goes out without the site's scripts. Nothing on it is live, and its links, menus and forms need none.
import { createContext } from "react";

/** Set on the server alone: where there is a browser's script, it is not. */
export const StillContext = createContext(false);
