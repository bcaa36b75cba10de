/** Tells of news when they begin: an event for those who follow what they are about. */
import type { Db } from "#db/client.ts";
import { tellNews } from "#domain/news/tell-news.ts";

/** All that are due. Returns how many. */
export async function tellDueNews({ db }: { db: Db }): Promise<number> {
  let told = 0;
  for (let more = await tellNews(db); more > 0; more = await tellNews(db)) told += more;
  return told;
}
