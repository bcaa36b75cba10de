CREATE TABLE "incident_servers" (
	"incident_id" integer NOT NULL,
	"server_id" integer NOT NULL,
	"down_since" timestamp with time zone,
	"back_at" timestamp with time zone,
	CONSTRAINT "incident_servers_incident_id_server_id_pk" PRIMARY KEY("incident_id","server_id")
);
--> statement-breakpoint
CREATE TABLE "incident_updates" (
	"update_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "incident_updates_update_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"incident_id" integer NOT NULL,
	"text" jsonb NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"incident_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "incidents_incident_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"about" text NOT NULL,
	"game_id" integer,
	"title" jsonb,
	"opened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"by_outage" boolean DEFAULT false NOT NULL,
	"published_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "incidents_about" CHECK ("incidents"."about" in ('site', 'game', 'servers')),
	CONSTRAINT "incidents_game" CHECK (("incidents"."about" = 'game') = ("incidents"."game_id" is not null)),
	CONSTRAINT "incidents_words" CHECK ("incidents"."published_at" is null or "incidents"."title" is not null)
);
--> statement-breakpoint
CREATE TABLE "plan_occurrences" (
	"plan_id" integer NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"told_at" timestamp with time zone,
	"began_at" timestamp with time zone,
	"over_at" timestamp with time zone,
	CONSTRAINT "plan_occurrences_plan_id_starts_at_pk" PRIMARY KEY("plan_id","starts_at"),
	CONSTRAINT "plan_occurrences_times" CHECK ("plan_occurrences"."starts_at" <= "plan_occurrences"."ends_at")
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"plan_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "plans_plan_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"server_id" integer,
	"game_id" integer,
	"title" jsonb,
	"first_local" text NOT NULL,
	"time_zone" text NOT NULL,
	"repeats" text NOT NULL,
	"minutes" integer NOT NULL,
	"due_at" timestamp with time zone DEFAULT now(),
	"ended_at" timestamp with time zone,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "plans_kind" CHECK ("plans"."kind" in ('restart', 'maintenance')),
	CONSTRAINT "plans_repeats" CHECK ("plans"."repeats" in ('none', 'daily', 'weekly')),
	CONSTRAINT "plans_about" CHECK ("plans"."server_id" is null or "plans"."game_id" is null),
	CONSTRAINT "plans_first_local" CHECK ("plans"."first_local" ~ '^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$'),
	CONSTRAINT "plans_minutes" CHECK ("plans"."minutes" between 1 and 10080)
);
--> statement-breakpoint
ALTER TABLE "incident_servers" ADD CONSTRAINT "incident_servers_incident_id_incidents_incident_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("incident_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_servers" ADD CONSTRAINT "incident_servers_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_updates" ADD CONSTRAINT "incident_updates_incident_id_incidents_incident_id_fk" FOREIGN KEY ("incident_id") REFERENCES "public"."incidents"("incident_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_updates" ADD CONSTRAINT "incident_updates_created_by_users_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("user_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_game_id_games_game_id_fk" FOREIGN KEY ("game_id") REFERENCES "public"."games"("game_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incidents" ADD CONSTRAINT "incidents_created_by_users_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("user_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_occurrences" ADD CONSTRAINT "plan_occurrences_plan_id_plans_plan_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("plan_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_game_id_games_game_id_fk" FOREIGN KEY ("game_id") REFERENCES "public"."games"("game_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plans" ADD CONSTRAINT "plans_created_by_users_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("user_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "incident_servers_of_server" ON "incident_servers" USING btree ("server_id");--> statement-breakpoint
CREATE INDEX "incident_updates_of_incident" ON "incident_updates" USING btree ("incident_id","created_at");--> statement-breakpoint
CREATE INDEX "incident_updates_of_user" ON "incident_updates" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "incidents_open" ON "incidents" USING btree ("opened_at") WHERE "incidents"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "incidents_of_game" ON "incidents" USING btree ("game_id");--> statement-breakpoint
CREATE INDEX "incidents_of_user" ON "incidents" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "plan_occurrences_to_do" ON "plan_occurrences" USING btree ("starts_at") WHERE "plan_occurrences"."over_at" is null;--> statement-breakpoint
CREATE INDEX "plans_due" ON "plans" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "plans_of_server" ON "plans" USING btree ("server_id");--> statement-breakpoint
CREATE INDEX "plans_of_game" ON "plans" USING btree ("game_id");--> statement-breakpoint
CREATE INDEX "plans_of_user" ON "plans" USING btree ("created_by");