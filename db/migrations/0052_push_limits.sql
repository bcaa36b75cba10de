CREATE TABLE "push_limits" (
	"host" text PRIMARY KEY NOT NULL,
	"resets_at" timestamp with time zone NOT NULL
);
