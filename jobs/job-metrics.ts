/** Prometheus metrics of jobs. Loaded only if metrics are served. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { JobMetrics } from "./start-jobs.ts";

/** `names`: the jobs that this process may run. Prometheus uses the label `job` itself, so ours is `job_name`. */
export function measureJobs(registry: Registry, names: string[]): JobMetrics {
  const labelNames = ["job_name"];
  const registers = [registry];
  const endedAt = new Map<string, number>();
  const runs = new Counter({
    name: "spawnpoint_job_runs_total",
    help: "Runs of background jobs in this process by how they ended: ok or failed.",
    labelNames: ["job_name", "outcome"],
    registers,
  });
  // A rate needs a start: an outcome that hasn't happened yet is 0, not absent.
  for (const name of names) for (const outcome of ["ok", "failed"]) runs.labels(name, outcome).inc(0);
  const duration = new Gauge({
    name: "spawnpoint_job_duration_seconds",
    help: "What the last run of a background job took in this process.",
    labelNames,
    registers,
  });
  const failing = new Gauge({
    name: "spawnpoint_job_failing",
    help: "Whether the last run of a background job in this process failed.",
    labelNames,
    registers,
  });
  new Gauge({
    name: "spawnpoint_job_age_seconds",
    help: "Since a background job last ran in this process, however it ended; absent where it has not run.",
    labelNames,
    registers,
    collect() {
      for (const [name, at] of endedAt) this.set({ job_name: name }, (performance.now() - at) / 1000);
    },
  });
  return {
    ran(name, { durationMs, failed }) {
      endedAt.set(name, performance.now());
      runs.labels(name, failed ? "failed" : "ok").inc();
      duration.labels(name).set(durationMs / 1000);
      failing.labels(name).set(Number(failed));
    },
  };
}
