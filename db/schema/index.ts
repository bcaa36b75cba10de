// THE MAP of the tables: one file a table, named after it.
export * from "./collector-process.ts";
export * from "./games.ts";
export * from "./gameserver.ts";
export * from "./gameserver-live-metrics.ts";
export * from "./gameserver-sample.ts";
export * from "./gameserver-status-event.ts";
export * from "./site-settings.ts";
