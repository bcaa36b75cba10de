/** Parses untrusted JSON only if it nests no deeper than allowed. */

/** Parses `json`; undefined if it is invalid, or nests deeper than `deepest`. */
export function parseShallowJson(json: string, deepest: number): unknown {
  if (!isShallow(json, deepest)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Checks for a JSON object, whose values are not validated. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Measures nesting before parsing, so that a parser never sees a tower of brackets. Skips texts. */
function isShallow(json: string, deepest: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (character === 0x22) {
      at = endOfText(json, at);
    } else if (character === 0x5b || character === 0x7b) {
      if (++depth > deepest) return false;
    } else if (character === 0x5d || character === 0x7d) {
      depth--;
    }
  }
  return true;
}

/** Finds the quotation mark that ends the text beginning at `start`. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return end;
    end = json.indexOf('"', end + 1);
  }
  return json.length;
}
