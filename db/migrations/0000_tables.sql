-- Generated, but for one thing that the generator cannot say: gameserver_sample is partitioned by day.
CREATE TABLE "collector_process" (
	"collector_id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"last_tick_at" timestamp with time zone NOT NULL,
	"in_flight" integer DEFAULT 0 NOT NULL,
	"delayed_since" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "games" (
	"game_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "games_game_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"game_name" text NOT NULL,
	"game_acronym" text NOT NULL,
	"game_slug" text NOT NULL,
	"tagline" jsonb NOT NULL,
	"description" jsonb NOT NULL,
	"guide" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"guide_boxes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"picture" text,
	"sort_order" integer DEFAULT 0 NOT NULL,
	"published" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "games_game_slug_unique" UNIQUE("game_slug")
);
--> statement-breakpoint
CREATE TABLE "gameserver" (
	"server_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "gameserver_server_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"game_id" integer NOT NULL,
	"server_name" text NOT NULL,
	"user_max" integer,
	"visibility" text DEFAULT 'hidden' NOT NULL,
	"server_locations" text[] DEFAULT '{}'::text[] NOT NULL,
	"lifecycle" text DEFAULT 'active' NOT NULL,
	"host" text,
	"game_port" integer,
	"query_port" integer,
	"adapter" text NOT NULL,
	"adapter_options" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"poll_interval_s" integer,
	"version" text,
	"flavour" text,
	"mods" text[] DEFAULT '{}'::text[] NOT NULL,
	"join_link" text,
	"download_url" text,
	"description" jsonb,
	"sort_order" integer DEFAULT 0 NOT NULL,
	"heartbeat_token_hash" text,
	"demo" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "gameserver_heartbeat_token_hash_unique" UNIQUE("heartbeat_token_hash"),
	CONSTRAINT "gameserver_visibility" CHECK ("gameserver"."visibility" in ('public', 'members', 'hidden')),
	CONSTRAINT "gameserver_lifecycle" CHECK ("gameserver"."lifecycle" in ('active', 'maintenance', 'retired')),
	CONSTRAINT "gameserver_adapter" CHECK ("gameserver"."adapter" in ('a2s', 'minecraft', 'tcp', 'heartbeat')),
	CONSTRAINT "gameserver_user_max" CHECK ("gameserver"."user_max" between 0 and 100000),
	CONSTRAINT "gameserver_ports" CHECK (coalesce("gameserver"."game_port", 1024) between 1 and 65535 and coalesce("gameserver"."query_port", 1024) between 1 and 65535),
	CONSTRAINT "gameserver_poll_interval" CHECK ("gameserver"."poll_interval_s" between 1 and 3600)
);
--> statement-breakpoint
CREATE TABLE "gameserver_live_metrics" (
	"server_id" integer PRIMARY KEY NOT NULL,
	"status" text DEFAULT 'unknown' NOT NULL,
	"user_online" integer,
	"user_max_measured" integer,
	"user_peak" integer,
	"user_peak_at" timestamp with time zone,
	"user_peak_24h" integer,
	"user_peak_7d" integer,
	"version_measured" text,
	"map" text,
	"status_since" timestamp with time zone,
	"last_asked_at" timestamp with time zone,
	"last_answered_at" timestamp with time zone,
	"latency_ms" integer,
	"failure" text,
	"failures_in_row" smallint DEFAULT 0 NOT NULL,
	"heartbeat_at" timestamp with time zone,
	"heartbeat_players" integer,
	"heartbeat_max" integer,
	"heartbeat_version" text,
	"next_poll_at" timestamp with time zone DEFAULT now() NOT NULL,
	"claimed_by" uuid,
	"claimed_until" timestamp with time zone,
	CONSTRAINT "gameserver_live_metrics_status" CHECK ("gameserver_live_metrics"."status" in ('unknown', 'online', 'degraded', 'offline')),
	CONSTRAINT "gameserver_live_metrics_counts" CHECK ("gameserver_live_metrics"."user_online" between 0 and 100000 and "gameserver_live_metrics"."user_peak" between 0 and 100000)
);
--> statement-breakpoint
CREATE TABLE "gameserver_sample" (
	"server_id" integer NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"status" text NOT NULL,
	"user_online" integer,
	"user_max" integer,
	"latency_ms" integer,
	"failure" text
) PARTITION BY RANGE ("asked_at");
--> statement-breakpoint
CREATE TABLE "gameserver_status_event" (
	"event_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "gameserver_status_event_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"server_id" integer NOT NULL,
	"from_status" text NOT NULL,
	"to_status" text NOT NULL,
	"failure" text,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_settings" (
	"setting_key" text PRIMARY KEY NOT NULL,
	"setting_value" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "gameserver" ADD CONSTRAINT "gameserver_game_id_games_game_id_fk" FOREIGN KEY ("game_id") REFERENCES "public"."games"("game_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameserver_live_metrics" ADD CONSTRAINT "gameserver_live_metrics_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameserver_status_event" ADD CONSTRAINT "gameserver_status_event_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "games_order" ON "games" USING btree ("sort_order","game_id");--> statement-breakpoint
CREATE INDEX "gameserver_of_game" ON "gameserver" USING btree ("game_id","sort_order","server_id");--> statement-breakpoint
CREATE INDEX "gameserver_live_metrics_due" ON "gameserver_live_metrics" USING btree ("next_poll_at");--> statement-breakpoint
CREATE INDEX "gameserver_sample_of_server" ON "gameserver_sample" USING btree ("server_id","asked_at");--> statement-breakpoint
CREATE INDEX "gameserver_status_event_of_server" ON "gameserver_status_event" USING btree ("server_id","changed_at");--> statement-breakpoint
CREATE INDEX "gameserver_status_event_age" ON "gameserver_status_event" USING btree ("changed_at");