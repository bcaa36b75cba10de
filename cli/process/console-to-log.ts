/** Sends the console output of libraries to the log: JSON lines with the request they belong to. */
import { format, stripVTControlCharacters } from "node:util";
import type { Log } from "./log.ts";

/** Redirects this process's console to the log. A library's "error" may be a visitor's bad request, so it becomes a warning. */
export function sendConsoleTo(log: Log): void {
  const textOf = (given: unknown[]) => stripVTControlCharacters(format(...given)).trim();
  console.error = (...given) => log.warn(textOf(given));
  console.warn = console.error;
  console.log = (...given) => log.debug(textOf(given));
  console.info = console.log;
}
