-- Adds join codes, and by what browsers and networks are told apart where they follow without an account. Removes what 0.2.0 only
-- kept for the versions before it: their queue of mails, the one download address of a game server, and since when down times are
-- counted from events.
ALTER TABLE "gameserver" ADD COLUMN "join_code" text;--> statement-breakpoint
ALTER TABLE "notification_targets" ADD COLUMN "created_from_network" text;--> statement-breakpoint
ALTER TABLE "notification_targets" ADD COLUMN "browser_hash" text;--> statement-breakpoint
CREATE INDEX "notification_targets_of_browser" ON "notification_targets" ("browser_hash") WHERE browser_hash is not null;--> statement-breakpoint
CREATE INDEX "notification_targets_of_strangers" ON "notification_targets" ("created_from_network") WHERE user_id is null and kind = 'push';--> statement-breakpoint
DROP TABLE "mails";--> statement-breakpoint
DROP FUNCTION mails_notify();--> statement-breakpoint
ALTER TABLE "gameserver" DROP COLUMN "download_url";--> statement-breakpoint
ALTER TABLE "gameserver_rollup_progress" DROP COLUMN "counted_from";
