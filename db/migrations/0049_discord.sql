CREATE TABLE "discord_cards" (
	"card_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"target_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"game_id" integer,
	"server_id" integer,
	"locale" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"message_id" text,
	"content_hash" text,
	"shown_at" timestamp with time zone,
	"remade_at" timestamp with time zone,
	"next_at" timestamp with time zone DEFAULT now() NOT NULL,
	"claimed_until" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "discord_cards_kind" CHECK ("discord_cards"."kind" in ('site', 'game', 'server')),
	CONSTRAINT "discord_cards_state" CHECK ("discord_cards"."state" in ('waiting', 'making', 'shown', 'doubtful', 'removed', 'ending')),
	CONSTRAINT "discord_cards_locale" CHECK ("discord_cards"."locale" in ('en', 'de')),
	CONSTRAINT "discord_cards_shown" CHECK ("discord_cards"."state" <> 'shown' or "discord_cards"."message_id" is not null)
);
--> statement-breakpoint
CREATE TABLE "discord_limits" (
	"webhook_id" text,
	"route" text,
	"bucket" text,
	"most" integer,
	"remaining" integer DEFAULT 1 NOT NULL,
	"resets_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "discord_limits_of" UNIQUE NULLS NOT DISTINCT("webhook_id","route")
);
--> statement-breakpoint
ALTER TABLE "discord_cards" ADD CONSTRAINT "discord_cards_target_id_notification_targets_target_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."notification_targets"("target_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discord_cards" ADD CONSTRAINT "discord_cards_game_id_games_game_id_fk" FOREIGN KEY ("game_id") REFERENCES "public"."games"("game_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discord_cards" ADD CONSTRAINT "discord_cards_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "discord_cards_site" ON "discord_cards" USING btree ("target_id") WHERE "discord_cards"."kind" = 'site';--> statement-breakpoint
CREATE UNIQUE INDEX "discord_cards_game" ON "discord_cards" USING btree ("target_id","game_id");--> statement-breakpoint
CREATE UNIQUE INDEX "discord_cards_server" ON "discord_cards" USING btree ("target_id","server_id");--> statement-breakpoint
CREATE INDEX "discord_cards_of_game" ON "discord_cards" USING btree ("game_id");--> statement-breakpoint
CREATE INDEX "discord_cards_of_server" ON "discord_cards" USING btree ("server_id");