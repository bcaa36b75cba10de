CREATE TABLE "gameserver_details" (
	"server_id" integer PRIMARY KEY NOT NULL,
	"lines" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"mods" text[] DEFAULT '{}'::text[] NOT NULL,
	"icon" text,
	"icon_id" text,
	"icon_told_sha256" text,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "gameserver_details_icon" CHECK (("gameserver_details"."icon" is null) = ("gameserver_details"."icon_id" is null)),
	CONSTRAINT "gameserver_details_icon_size" CHECK (char_length("gameserver_details"."icon") <= 100000)
);
--> statement-breakpoint
ALTER TABLE "gameserver" ADD COLUMN "show_details" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "gameserver_live_metrics" ADD COLUMN "details_asked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "gameserver_details" ADD CONSTRAINT "gameserver_details_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;