-- Removes what 0.2.0 only kept for the versions before it: their queue of mails, the one download address of a game server, and since
-- when down times are counted from events.
DROP TABLE "mails";--> statement-breakpoint
DROP FUNCTION mails_notify();--> statement-breakpoint
ALTER TABLE "gameserver" DROP COLUMN "download_url";--> statement-breakpoint
ALTER TABLE "gameserver_rollup_progress" DROP COLUMN "counted_from";
