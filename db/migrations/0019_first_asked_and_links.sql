ALTER TABLE "gameserver" ADD COLUMN "links" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "gameserver_live_metrics" ADD COLUMN "first_asked_at" timestamp with time zone;