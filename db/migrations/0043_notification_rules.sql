CREATE TABLE "notification_rules" (
	"rule_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notification_rules_rule_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kinds" text[] NOT NULL,
	"server_id" integer,
	"game_id" integer,
	"with_hidden" boolean DEFAULT false NOT NULL,
	"target_id" uuid,
	"after_s" integer DEFAULT 0 NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notification_rules_about" CHECK (num_nonnulls("notification_rules"."server_id", "notification_rules"."game_id") <= 1),
	CONSTRAINT "notification_rules_kinds" CHECK (cardinality("notification_rules"."kinds") > 0),
	CONSTRAINT "notification_rules_after" CHECK ("notification_rules"."after_s" between 0 and 3600)
);
--> statement-breakpoint
CREATE TABLE "site_troubles" (
	"trouble" text PRIMARY KEY NOT NULL,
	"first_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"told_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "notification_rules" ADD CONSTRAINT "notification_rules_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_rules" ADD CONSTRAINT "notification_rules_game_id_games_game_id_fk" FOREIGN KEY ("game_id") REFERENCES "public"."games"("game_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_rules" ADD CONSTRAINT "notification_rules_target_id_notification_targets_target_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."notification_targets"("target_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notification_rules_of_server" ON "notification_rules" USING btree ("server_id");--> statement-breakpoint
CREATE INDEX "notification_rules_of_game" ON "notification_rules" USING btree ("game_id");--> statement-breakpoint
CREATE INDEX "notification_rules_of_target" ON "notification_rules" USING btree ("target_id");