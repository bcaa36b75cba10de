ALTER TABLE "games" ADD COLUMN "banner" jsonb;--> statement-breakpoint
ALTER TABLE "gameserver" ADD COLUMN "maintenance_until" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "gameserver_maintenance_end" ON "gameserver" USING btree ("maintenance_until") WHERE "gameserver"."maintenance_until" is not null;