// Marks a page that is sent without the site's scripts. It shows nothing live, and its links, menus and forms need none.
import { createContext } from "react";

/** Set on the server only. */
export const StillContext = createContext(false);
