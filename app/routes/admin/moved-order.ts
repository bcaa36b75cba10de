// Reads the order that a <SortableList> form sends.
import { readId } from "./asked-id.ts";

const MOST = 20_000;

/** Returns the ids in their new order; `move` ("up:3") is a button press without script. Null: no valid order. */
export function readOrder(form: FormData): number[] | null {
  const ids = form.getAll("id").map((value) => readId(String(value)));
  if (ids.length === 0 || ids.length > MOST) return null;
  const known = ids.filter((id) => id !== null);
  if (known.length !== ids.length || new Set(known).size !== known.length) return null;
  const [, way, id] = /^(up|down):(\d{1,9})$/.exec(String(form.get("move") ?? "")) ?? [];
  const at = known.indexOf(Number(id));
  const to = way === "up" ? at - 1 : at + 1;
  const [moved, other] = [known[at], known[to]];
  if (moved === undefined || other === undefined) return known;
  return known.map((each) => (each === moved ? other : each === other ? moved : each));
}
