/** What libraries say on the console goes to the log: a line of JSON as any other, that names the request it is about. */
import { format, stripVTControlCharacters } from "node:util";
import type { Log } from "./log.ts";

/** Has this process's console write to the log. A library's "error" may be a visitor's bad request, so it is a warning. */
export function sendConsoleTo(log: Log): void {
  const textOf = (given: unknown[]) => stripVTControlCharacters(format(...given)).trim();
  console.error = (...given) => log.warn(textOf(given));
  console.warn = console.error;
  console.log = (...given) => log.debug(textOf(given));
  console.info = console.log;
}
