/** Creates the log of each command: one JSON object a line on stderr, or readable lines on a terminal. */
import pino, { type Logger } from "pino";
import type { Config } from "#config";
import { createCauseCounter } from "./count-causes.ts";
import { withPriority } from "./journal.ts";
import { absenceIn, withoutValues } from "./logged-error.ts";

export type Log = Logger;

/**
 * Creates the log of a process. Logs each sentence about an unavailable database once, and its count every half a minute; at the
 * levels `debug` and `trace` each time.
 * @param name of the process: "start", "web", "collector", …
 * @param fields extra fields, evaluated for each line
 */
export function createLog(config: Pick<Config, "logLevel">, name: string, fields?: () => object): Log {
  const causes = /^(?:debug|trace)$/.test(config.logLevel) ? null : createCauseCounter();
  if (causes) process.once("exit", causes.flush);
  const options: pino.LoggerOptions = {
    name,
    level: config.logLevel,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    // Errors are plain fields already; pino's serializer would name each "Object".
    serializers: { err: (fields: unknown) => fields },
    hooks: {
      logMethod(given, write) {
        const safe = withoutValues(given) as typeof given;
        const code = absenceIn(safe);
        if (code !== undefined && causes) {
          const [{ err }, text] = [safe[0] as { err: object }, String(safe[1])];
          const count = (more: number) => write.apply(this, [{ err, more }, `${text} (${more} more times)`]);
          if (causes.isRepeated(`${text} ${code}`, count)) return;
        }
        write.apply(this, safe);
      },
    },
    ...(fields ? { mixin: fields } : {}),
  };
  const write = process.stderr.isTTY ? readableLines() : (line: string) => process.stderr.write(withPriority(line));
  return pino(options, { write: (line: string) => void write(line) });
}

/** Prints a child's log line, readable on a terminal. */
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
