// Where people of the community are asked, on pages that do not read the settings.
import { createContext } from "react";

/** The community's invite link, given by the frame around every page; empty: none, and questions go to the contact form. */
export const InviteContext = createContext("");
