// Which of the encodings that finished pages are kept in a browser takes.

export type Encoding = "br" | "gzip" | "identity";

/** The smallest one that an Accept-Encoding header names. */
export const encodingFor = (accepted: string | string[] | undefined): Encoding =>
  accepts(accepted, "br") ? "br" : accepts(accepted, "gzip") ? "gzip" : "identity";

/** Whether an Accept-Encoding header names an encoding and does not refuse it by q=0. */
export function accepts(header: string | string[] | undefined, encoding: string): boolean {
  return (
    typeof header === "string" &&
    header.includes(encoding) &&
    !new RegExp(`${encoding}\\s*;\\s*q=0(?:\\.0*)?(?:,|\\s|$)`).test(header)
  );
}
