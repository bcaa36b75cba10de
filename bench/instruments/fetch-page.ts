import { get } from "node:http";

/** As a browser asks for pages. */
export const ENCODING = { "accept-encoding": "br" };
const OF_THE_CONNECTION = ["date", "connection", "keep-alive"];

/**
 * A page as it travels: still compressed, with the headers that are its own, so that a baseline can send the same bytes.
 * Rejects where it is not answered by 200.
 */
export function fetchPage(url: string): Promise<{ headers: [string, string][]; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: ENCODING }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        const all = Object.entries(response.headers) as [string, string][];
        const headers = all.filter(([name]) => !OF_THE_CONNECTION.includes(name));
        if (response.statusCode === 200) resolve({ headers, body: Buffer.concat(chunks) });
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    }).on("error", reject);
  });
}
