// Deadlines of privacy requests, by kind and the sender's region: the days that the privacy policy names.
import type { REQUEST_KINDS, REQUEST_REGIONS } from "#db/schema/contacts.ts";

export type RequestKind = (typeof REQUEST_KINDS)[number];
export type RequestRegion = (typeof REQUEST_REGIONS)[number];

/**
 * The law behind the days. gdpr: GDPR, also the United Kingdom's, and the Swiss act. cpa, ctdpa, vcdpa: Colorado's, Connecticut's
 * and Virginia's. us_state: another state's. policy: no applicable law, our own promise.
 */
export type PrivacyLaw = "gdpr" | "cpa" | "ctdpa" | "vcdpa" | "us_state" | "policy";

const LAWS: Record<RequestRegion, PrivacyLaw> = {
  europe: "gdpr",
  colorado: "cpa",
  connecticut: "ctdpa",
  virginia: "vcdpa",
  us_other: "us_state",
  elsewhere: "policy",
};

const OPT_OUT_DAYS = 15;
const ANSWER_DAYS = 45;
/** GDPR Article 12(3) says a month, which is shorter than the promise to others. */
const GDPR_ANSWER_DAYS = 30;
const APPEAL_DAYS = 45;
const LONGER_APPEAL_DAYS = 60;
const EXTENSION_DAYS = 45;
const DAY_MS = 24 * 3600 * 1000;

/** `days` includes the extension. `extendable`: an extension is allowed and unused. */
export type PrivacyDeadline = { law: PrivacyLaw; days: number; due_at: Date; extendable: boolean };

/** Returns the deadline of a request. */
export function privacyDeadline(request: {
  kind: RequestKind;
  region: RequestRegion;
  created_at: Date;
  extended: boolean;
}): PrivacyDeadline {
  const { kind, region, created_at } = request;
  const extendableByLaw = region === "virginia" && kind !== "appeal" && kind !== "opt_out";
  const days = daysOf(kind, region) + (extendableByLaw && request.extended ? EXTENSION_DAYS : 0);
  return {
    law: LAWS[region],
    days,
    due_at: new Date(created_at.getTime() + days * DAY_MS),
    extendable: extendableByLaw && !request.extended,
  };
}

function daysOf(kind: RequestKind, region: RequestRegion): number {
  if (kind === "opt_out") return OPT_OUT_DAYS;
  if (kind === "appeal") return region === "connecticut" || region === "virginia" ? LONGER_APPEAL_DAYS : APPEAL_DAYS;
  return region === "europe" ? GDPR_ANSWER_DAYS : ANSWER_DAYS;
}

/** Whole days left at a time; 1 on the last day, 0 or less when overdue. */
export const daysLeft = (due: Date, now: number): number => Math.ceil((due.getTime() - now) / DAY_MS);
