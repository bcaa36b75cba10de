// THE MAP of the tables: one file a table, named after it.
export * from "./accounts.ts";
export * from "./audit-events.ts";
export * from "./collector-process.ts";
export * from "./games.ts";
export * from "./gameserver.ts";
export * from "./gameserver-live-metrics.ts";
export * from "./gameserver-sample.ts";
export * from "./gameserver-status-event.ts";
export * from "./passkeys.ts";
export * from "./profiles.ts";
export * from "./rate-limits.ts";
export * from "./roles.ts";
export * from "./sessions.ts";
export * from "./site-settings.ts";
export * from "./two-factors.ts";
export * from "./users.ts";
export * from "./verifications.ts";
