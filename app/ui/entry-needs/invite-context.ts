// Link to the community for questions, on pages that don't read the settings.
import { createContext } from "react";

/** The community's invite link, set by the frame of every page; empty: none, and questions go to the contact form. */
export const InviteContext = createContext("");
