// The request's id on an error page: what joins a person's words with the operator's log.
import { createContext, useContext } from "react";

/** Set on the server, for the one rendering. */
export const RequestIdContext = createContext<string | undefined>(undefined);

/** The id that the server knows; in the browser the one that it has written into this page, marked `data-request-id`. */
export function useRequestId(): string | undefined {
  const id = useContext(RequestIdContext);
  if (id !== undefined || typeof document === "undefined") return id;
  return document.querySelector<HTMLElement>("[data-request-id]")?.dataset.requestId;
}
