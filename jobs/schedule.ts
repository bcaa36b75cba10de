/** Lists all recurring jobs: the kind of process, interval, concurrency and function. */
import { COLLECTOR_JOBS } from "./collector-schedule.ts";
import { WEB_JOBS } from "./web-schedule.ts";

export const SCHEDULE = { collector: COLLECTOR_JOBS, web: WEB_JOBS };

export type JobName = keyof typeof SCHEDULE.collector | keyof typeof SCHEDULE.web;

export const JOB_NAMES = Object.values(SCHEDULE).flatMap((jobs) => Object.keys(jobs)) as JobName[];
