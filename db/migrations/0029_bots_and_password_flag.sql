ALTER TABLE "gameserver_live_metrics" ADD COLUMN "bots_online" integer;--> statement-breakpoint
ALTER TABLE "gameserver_live_metrics" ADD COLUMN "password_protected" boolean;