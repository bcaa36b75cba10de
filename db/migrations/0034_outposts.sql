CREATE TABLE "outpost_results" (
	"outpost_id" integer NOT NULL,
	"server_id" integer NOT NULL,
	"target_key" text NOT NULL,
	"ok" boolean NOT NULL,
	"latency_ms" integer,
	"failure" text,
	"asked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "outpost_results_outpost_id_server_id_pk" PRIMARY KEY("outpost_id","server_id")
);
--> statement-breakpoint
CREATE TABLE "outposts" (
	"outpost_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outposts_outpost_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"nonce" text,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone,
	"version" text,
	"clock_offset_ms" integer,
	"round_trip_ms" integer,
	CONSTRAINT "outposts_name_unique" UNIQUE("name"),
	CONSTRAINT "outposts_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "outposts_name" CHECK (length("outposts"."name") <= 40)
);
--> statement-breakpoint
ALTER TABLE "outpost_results" ADD CONSTRAINT "outpost_results_outpost_id_outposts_outpost_id_fk" FOREIGN KEY ("outpost_id") REFERENCES "public"."outposts"("outpost_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outpost_results" ADD CONSTRAINT "outpost_results_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outposts" ADD CONSTRAINT "outposts_created_by_users_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("user_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outpost_results_of_server" ON "outpost_results" USING btree ("server_id");--> statement-breakpoint
CREATE INDEX "outposts_of_user" ON "outposts" USING btree ("created_by");