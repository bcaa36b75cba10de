/** A limit of memory for a program and all that it starts, as `MemoryMax=` of systemd sets it. Linux, as root. */
import { access, mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

export type MemoryGroup = {
  /** Stands before a command and its arguments, so that it runs inside. */
  prefix: string[];
  /** The most that was in use at once, with what the kernel kept of files, in bytes; and how many processes it has killed for memory. */
  read(): Promise<{ most: number; killed: number }>;
  /** Once all inside has ended. */
  remove(): Promise<void>;
};

const ROOT = "/sys/fs/cgroup";

/** @throws where this machine does not let us make one. */
export async function makeMemoryGroup(megabytes: number): Promise<MemoryGroup> {
  const isNew = await access(path.join(ROOT, "cgroup.controllers")).then(
    () => true,
    () => false,
  );
  const name = `spawnpoint-${process.pid}`;
  const folder = isNew ? path.join(ROOT, name) : path.join(ROOT, "memory", name);
  const text = (file: string) => readFile(path.join(folder, file), "utf8").catch(() => "");
  await mkdir(folder);
  const limit = String(megabytes * 2 ** 20);
  try {
    await writeFile(path.join(folder, isNew ? "memory.max" : "memory.limit_in_bytes"), limit);
    // What is swapped out would not be missing.
    await writeFile(path.join(folder, isNew ? "memory.swap.max" : "memory.memsw.limit_in_bytes"), isNew ? "0" : limit);
  } catch (error) {
    await rmdir(folder);
    throw error;
  }
  return {
    prefix: ["/bin/sh", "-c", `echo $$ > ${folder}/cgroup.procs && exec "$@"`, "sh"],
    async read() {
      const most = Number(await text(isNew ? "memory.peak" : "memory.max_usage_in_bytes"));
      const events = await text(isNew ? "memory.events" : "memory.oom_control");
      return { most, killed: Number(/^oom_kill (\d+)$/m.exec(events)?.[1] ?? Number.NaN) };
    },
    async remove() {
      for (let tries = 0; tries < 50; tries += 1) {
        const gone = await rmdir(folder).then(
          () => true,
          () => false,
        );
        if (gone) return;
        await pause(100);
      }
    },
  };
}
