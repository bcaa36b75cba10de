CREATE TABLE "jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"machine" text NOT NULL,
	"failed_at" timestamp with time zone,
	"failure" text,
	"failed_machine" text
);
