// The number that an address of the admin area, or a field of one of its forms, names a thing by.
import { data } from "react-router";

/** The number; null for anything that is no id. */
export const readId = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;

/** The number in an address, or the 404 page. */
export function requireId(text: string | undefined): number {
  const id = readId(text);
  if (id === null) throw data(null, { status: 404 });
  return id;
}
