// Chooses the encoding of cached pages by the browser's Accept-Encoding.

export type Encoding = "br" | "gzip" | "identity";

/** Gets the smallest encoding that an Accept-Encoding header accepts. */
export const encodingFor = (accepted: string | string[] | undefined): Encoding =>
  accepts(accepted, "br") ? "br" : accepts(accepted, "gzip") ? "gzip" : "identity";

/** Checks whether an Accept-Encoding header names an encoding, in any case, and does not refuse it by q=0. */
export function accepts(header: string | string[] | undefined, encoding: Encoding): boolean {
  if (typeof header !== "string") return false;
  return header.split(",").some((part) => {
    const [coding = "", ...weights] = part.split(";");
    return coding.trim().toLowerCase() === encoding && !weights.some((weight) => /^\s*q=0(?:\.0*)?\s*$/i.test(weight));
  });
}
