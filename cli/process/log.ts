/** Where every command writes what happens: one JSON object a line on stderr, or readable lines on a terminal. */
import pino, { type Logger } from "pino";
import type { Config } from "#config";
import { withoutValues } from "./logged-error.ts";

export type Log = Logger;

/**
 * @param name who speaks: "start", "web", "collector", …
 * @param fields what each line says besides, asked anew for each
 */
export function createLog(config: Pick<Config, "logLevel">, name: string, fields?: () => object): Log {
  const options: pino.LoggerOptions = {
    name,
    level: config.logLevel,
    base: { name },
    // Errors come as plain fields already; pino's own way would name each of them "Object".
    serializers: { err: (fields: unknown) => fields },
    hooks: {
      logMethod(given, write) {
        write.apply(this, withoutValues(given) as typeof given);
      },
    },
    ...(fields ? { mixin: fields } : {}),
  };
  const write = process.stderr.isTTY ? readableLines() : (line: string) => process.stderr.write(line);
  return pino(options, { write: (line: string) => void write(line) });
}

/** Passes on a line that a child process logged, readable when we have a terminal. */
export function createLinePrinter(): (line: string) => void {
  const readable = process.stderr.isTTY ? readableLines() : null;
  return (line) => void (readable && line.startsWith("{") ? readable(`${line}\n`) : process.stderr.write(`${line}\n`));
}

/** Only for a terminal: few processes have one. */
const prettyFactory = process.stderr.isTTY ? (await import("pino-pretty")).prettyFactory : null;

function readableLines(): (line: string) => boolean {
  if (prettyFactory === null) return (line) => process.stderr.write(line);
  const pretty = prettyFactory({ colorize: true, ignore: "pid,hostname,name", messageFormat: "{name}: {msg}" });
  return (line) => process.stderr.write(pretty(line) ?? line);
}
