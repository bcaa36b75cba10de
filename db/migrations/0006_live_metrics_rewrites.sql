-- Generated, but for what the generator cannot say: this table is nothing but rewrites, so half of each page is left
-- free for the next version of its rows (then no index is touched), and it is cleaned sooner than others.
DROP INDEX "gameserver_live_metrics_due";
--> statement-breakpoint
ALTER TABLE "gameserver_live_metrics" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 500);
--> statement-breakpoint
-- The plan is made at the first call, mostly of one row, and kept: as a nested loop it takes 100 ms for 1,000 rows later.
ALTER FUNCTION gameserver_live_metrics_notify() SET enable_nestloop = off;
