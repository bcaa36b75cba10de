/** Notifies followers when news begins. */
import type { Db } from "#db/client.ts";
import { tellNews } from "#domain/news/tell-news.ts";

/** Processes all due news. Returns how many. */
export async function tellDueNews({ db }: { db: Db }): Promise<number> {
  let told = 0;
  for (let more = await tellNews(db); more > 0; more = await tellNews(db)) told += more;
  return told;
}
