CREATE TABLE "gameserver_rollup_1d" (
	"server_id" integer NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"user_min" integer,
	"user_max" integer,
	"user_sum" bigint NOT NULL,
	"user_count" integer NOT NULL,
	"asked" integer NOT NULL,
	"up_s" integer NOT NULL,
	"down_s" integer NOT NULL,
	CONSTRAINT "gameserver_rollup_1d_server_id_starts_at_pk" PRIMARY KEY("server_id","starts_at")
);
--> statement-breakpoint
CREATE TABLE "gameserver_rollup_1h" (
	"server_id" integer NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"user_min" integer,
	"user_max" integer,
	"user_sum" bigint NOT NULL,
	"user_count" integer NOT NULL,
	"asked" integer NOT NULL,
	"up_s" integer NOT NULL,
	"down_s" integer NOT NULL,
	CONSTRAINT "gameserver_rollup_1h_server_id_starts_at_pk" PRIMARY KEY("server_id","starts_at")
);
--> statement-breakpoint
CREATE TABLE "gameserver_rollup_5m" (
	"server_id" integer NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"user_min" integer,
	"user_max" integer,
	"user_sum" bigint NOT NULL,
	"user_count" integer NOT NULL,
	"asked" integer NOT NULL,
	"up_s" integer NOT NULL,
	"down_s" integer NOT NULL,
	CONSTRAINT "gameserver_rollup_5m_server_id_starts_at_pk" PRIMARY KEY("server_id","starts_at")
);
--> statement-breakpoint
CREATE TABLE "gameserver_rollup_progress" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"rolled_until" timestamp with time zone NOT NULL,
	CONSTRAINT "gameserver_rollup_progress_only" CHECK ("gameserver_rollup_progress"."only")
);
--> statement-breakpoint
ALTER TABLE "gameserver_rollup_1d" ADD CONSTRAINT "gameserver_rollup_1d_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameserver_rollup_1h" ADD CONSTRAINT "gameserver_rollup_1h_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gameserver_rollup_5m" ADD CONSTRAINT "gameserver_rollup_5m_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;