CREATE TABLE "follows" (
	"follow_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"target_id" uuid NOT NULL,
	"server_id" integer,
	"game_id" integer,
	"kind" text NOT NULL,
	"threshold" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "follows_once" UNIQUE NULLS NOT DISTINCT("target_id","server_id","game_id","kind","threshold"),
	CONSTRAINT "follows_kind" CHECK ("follows"."kind" in ('server_up', 'seat_free', 'players_reached', 'plan_soon', 'news', 'server_down')),
	CONSTRAINT "follows_about" CHECK (num_nonnulls("follows"."server_id", "follows"."game_id") <= 1),
	CONSTRAINT "follows_threshold" CHECK (("follows"."threshold" is not null) = ("follows"."kind" = 'players_reached') and coalesce("follows"."threshold", 1) between 1 and 100000)
);
--> statement-breakpoint
CREATE TABLE "notification_deliveries" (
	"delivery_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"event_id" bigint,
	"target_id" uuid,
	"channel" text NOT NULL,
	"payload" jsonb,
	"mail_to" text,
	"reply_to" text,
	"locale" text,
	"template" text,
	"dedupe_key" text DEFAULT gen_random_uuid()::text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now(),
	"expires_at" timestamp with time zone,
	"sent_at" timestamp with time zone,
	"last_error" text,
	"answer" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_deliveries_dedupe_key_unique" UNIQUE("dedupe_key"),
	CONSTRAINT "notification_deliveries_channel" CHECK ("notification_deliveries"."channel" in ('push', 'mail', 'discord', 'webhook')),
	CONSTRAINT "notification_deliveries_state" CHECK ("notification_deliveries"."state" in ('waiting', 'held', 'sending', 'sent', 'failed', 'expired', 'untrue', 'doubtful', 'dead')),
	CONSTRAINT "notification_deliveries_locale" CHECK ("notification_deliveries"."locale" in ('en', 'de')),
	CONSTRAINT "notification_deliveries_to" CHECK ("notification_deliveries"."target_id" is not null or ("notification_deliveries"."channel" = 'mail' and "notification_deliveries"."mail_to" is not null and "notification_deliveries"."template" is not null and "notification_deliveries"."locale" is not null))
);
--> statement-breakpoint
CREATE TABLE "notification_events" (
	"event_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notification_events_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"server_id" integer,
	"game_id" integer,
	"subject_id" text,
	"facts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"dedupe_key" text NOT NULL,
	"telling_key" text,
	"happened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"not_before" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"fanned_out_at" timestamp with time zone,
	"outcome" text,
	CONSTRAINT "notification_events_dedupe_key_unique" UNIQUE("dedupe_key"),
	CONSTRAINT "notification_events_outcome" CHECK ("notification_events"."outcome" in ('told', 'untrue', 'expired'))
);
--> statement-breakpoint
CREATE TABLE "notification_preferences" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"mail_on" boolean DEFAULT true NOT NULL,
	"quiet_from" smallint,
	"quiet_to" smallint,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"digest" text DEFAULT 'none' NOT NULL,
	"digest_of" date,
	CONSTRAINT "notification_preferences_digest" CHECK ("notification_preferences"."digest" in ('none', 'daily')),
	CONSTRAINT "notification_preferences_quiet" CHECK (("notification_preferences"."quiet_from" is null) = ("notification_preferences"."quiet_to" is null) and coalesce("notification_preferences"."quiet_from", 0) between 0 and 1439 and coalesce("notification_preferences"."quiet_to", 0) between 0 and 1439)
);
--> statement-breakpoint
CREATE TABLE "notification_targets" (
	"target_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid,
	"name" text,
	"address_hash" text NOT NULL,
	"address_sealed" text,
	"last4" text DEFAULT '' NOT NULL,
	"locale" text DEFAULT 'en' NOT NULL,
	"created_from" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"not_before" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"dead_at" timestamp with time zone,
	"last_error" text,
	CONSTRAINT "notification_targets_address_hash_unique" UNIQUE("address_hash"),
	CONSTRAINT "notification_targets_kind" CHECK ("notification_targets"."kind" in ('push', 'mail', 'discord', 'webhook')),
	CONSTRAINT "notification_targets_locale" CHECK ("notification_targets"."locale" in ('en', 'de'))
);
--> statement-breakpoint
CREATE TABLE "notification_watches" (
	"server_id" integer NOT NULL,
	"kind" text NOT NULL,
	"threshold" integer NOT NULL,
	"armed" boolean NOT NULL,
	"fired_at" timestamp with time zone,
	CONSTRAINT "notification_watches_server_id_kind_threshold_pk" PRIMARY KEY("server_id","kind","threshold"),
	CONSTRAINT "notification_watches_kind" CHECK ("notification_watches"."kind" in ('seat_free', 'server_full', 'players_reached'))
);
--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_target_id_notification_targets_target_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."notification_targets"("target_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "follows" ADD CONSTRAINT "follows_game_id_games_game_id_fk" FOREIGN KEY ("game_id") REFERENCES "public"."games"("game_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_event_id_notification_events_event_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."notification_events"("event_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_target_id_notification_targets_target_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."notification_targets"("target_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_events" ADD CONSTRAINT "notification_events_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_events" ADD CONSTRAINT "notification_events_game_id_games_game_id_fk" FOREIGN KEY ("game_id") REFERENCES "public"."games"("game_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_preferences" ADD CONSTRAINT "notification_preferences_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_targets" ADD CONSTRAINT "notification_targets_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_watches" ADD CONSTRAINT "notification_watches_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "follows_of_server" ON "follows" USING btree ("server_id","kind");--> statement-breakpoint
CREATE INDEX "follows_of_game" ON "follows" USING btree ("game_id","kind");--> statement-breakpoint
CREATE INDEX "notification_deliveries_due" ON "notification_deliveries" USING btree ("channel","next_attempt_at") WHERE "notification_deliveries"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "notification_deliveries_of_event" ON "notification_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "notification_deliveries_of_target" ON "notification_deliveries" USING btree ("target_id","created_at");--> statement-breakpoint
CREATE INDEX "notification_deliveries_age" ON "notification_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "notification_events_open" ON "notification_events" USING btree ("not_before") WHERE "notification_events"."fanned_out_at" is null;--> statement-breakpoint
CREATE INDEX "notification_events_age" ON "notification_events" USING btree ("happened_at");--> statement-breakpoint
CREATE INDEX "notification_events_of_server" ON "notification_events" USING btree ("server_id","kind");--> statement-breakpoint
CREATE INDEX "notification_events_of_game" ON "notification_events" USING btree ("game_id");--> statement-breakpoint
CREATE INDEX "notification_targets_of_user" ON "notification_targets" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "notification_targets_from" ON "notification_targets" USING btree ("created_from") WHERE "notification_targets"."created_from" is not null;--> statement-breakpoint
CREATE INDEX "notification_targets_unseen" ON "notification_targets" USING btree ("last_seen_at");