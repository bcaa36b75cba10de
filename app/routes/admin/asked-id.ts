// Reads the id in an admin address or form field.
import { data } from "react-router";

/** Returns the id; null for anything else. */
export const readId = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;

/** Returns the id in an address, or throws the 404 page. */
export function requireId(text: string | undefined): number {
  const id = readId(text);
  if (id === null) throw data(null, { status: 404 });
  return id;
}
