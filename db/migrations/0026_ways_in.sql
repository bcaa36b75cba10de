ALTER TABLE "gameserver" ADD COLUMN "password" text;--> statement-breakpoint
ALTER TABLE "gameserver" ADD COLUMN "password_access" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "gameserver" ADD COLUMN "access_note" jsonb;--> statement-breakpoint
ALTER TABLE "gameserver" ADD CONSTRAINT "gameserver_password_access" CHECK ("gameserver"."password_access" in ('none', 'public', 'members', 'ask'));