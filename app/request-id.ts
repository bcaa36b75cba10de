// Gives error pages the request's id, which links a report to the operator's log.
import { createContext, useContext } from "react";

/** Set on the server, per rendering. */
export const RequestIdContext = createContext<string | undefined>(undefined);

/** Returns the server's id; in the browser the one in this page's HTML, marked `data-request-id`. */
export function useRequestId(): string | undefined {
  const id = useContext(RequestIdContext);
  if (id !== undefined || typeof document === "undefined") return id;
  return document.querySelector<HTMLElement>("[data-request-id]")?.dataset.requestId;
}
