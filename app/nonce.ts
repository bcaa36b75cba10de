// Marks our own inline scripts: the server hashes them for the CSP and removes the mark.
import { createContext, useContext } from "react";

export const NonceContext = createContext<string | undefined>(undefined);

/** Returns the mark on the server, undefined in the browser. */
export const useNonce = () => useContext(NonceContext);
