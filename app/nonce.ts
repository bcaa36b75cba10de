// Marks the inline scripts that are ours: the server hashes them for the CSP and takes the mark away again.
import { createContext, useContext } from "react";

export const NonceContext = createContext<string | undefined>(undefined);

/** The mark on the server, undefined in the browser. */
export const useNonce = () => useContext(NonceContext);
