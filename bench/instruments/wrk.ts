/** Loads an address with wrk (Debian's package), which answers for more requests a second than a Node client can send. */
import { type ChildProcess, spawn } from "node:child_process";
import { text } from "node:stream/consumers";

export type Load = { url: string; connections: number; headers?: Record<string, string>; seconds?: number };

/** `busy`: the share of one core that wrk took; near 1, wrk is what was measured. */
export type Loaded = { perSecond: number; busy: number };

/** @throws where wrk is missing, or any answer was an error */
export async function load(order: Load): Promise<Loaded> {
  return startLoad(order).end;
}

/** Loads until `stop`, or for `seconds`. */
export function startLoad({ url, connections, headers = {}, seconds = 3600 }: Load): {
  end: Promise<Loaded>;
  stop(): void;
} {
  const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, ...given, url];
  const began = performance.now();
  // The shell's `times` tells what its child took of the processor; wrk ends by SIGINT with its figures.
  const child = spawn("sh", ["-c", 'trap "" INT; wrk "$@"; times', "wrk", ...args], { detached: true });
  return { end: read(child, began), stop: () => void (child.pid && process.kill(-child.pid, "SIGINT")) };
}

async function read(child: ChildProcess, began: number): Promise<Loaded> {
  if (!child.stdout || !child.stderr) throw new Error("wrk was started without pipes");
  const [said, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const seconds = (performance.now() - began) / 1000;
  const [, perSecond] = /^Requests\/sec:\s+([\d.]+)/m.exec(said) ?? [];
  if (perSecond === undefined) throw new Error(`wrk (apt-get install wrk): ${complaint.trim() || said.trim()}`);
  const failed = /^\s*(?:Non-2xx.*|Socket errors: connect (?!0, read 0, write 0, timeout 0).*)$/m.exec(said);
  if (failed) throw new Error(failed[0].trim());
  const [, userM, userS, systemM, systemS] = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/.exec(said) ?? [];
  const cpu = Number(userM) * 60 + Number(userS) + Number(systemM) * 60 + Number(systemS);
  return { perSecond: Number(perSecond), busy: cpu / seconds };
}
