/** What a browser at a page asks of the stream: the topics that the page's own loader names. */
import { topicsOf } from "#shared/live/live-topics.ts";
import { fetchLivePage } from "#tests/faults/stream-browser.ts";

/** @returns the stream's address, and the ids of the game servers that it tells of, in the page's order */
export async function streamOfPage(site: string, path: string): Promise<{ path: string; servers: number[] }> {
  const { rows, totals } = await fetchLivePage(site, path);
  const servers = rows.map(({ server_id }) => server_id);
  const topics = topicsOf({
    site: totals.site !== undefined,
    games: Object.keys(totals.games ?? {}).map(Number),
    servers,
  });
  if (topics.length === 0) throw new Error(`${path} shows nothing live`);
  return { path: `/live?shows=${topics.join()}`, servers };
}
