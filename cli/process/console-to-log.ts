/** What libraries say on the console goes to the log: a line of JSON as any other, that names the request it is about. */
import { format, stripVTControlCharacters } from "node:util";
import type { Log } from "./log.ts";

/** Has this process's console write to the log. A library's "error" may be a visitor's bad request, so it is a warning. */
export function sendConsoleTo(log: Log): void {
  const words = (given: unknown[]) => stripVTControlCharacters(format(...given)).trim();
  console.error = (...given) => log.warn(words(given));
  console.warn = console.error;
  console.log = (...given) => log.debug(words(given));
  console.info = console.log;
}
