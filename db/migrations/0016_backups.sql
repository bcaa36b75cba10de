CREATE TABLE "backups" (
	"backup_id" uuid PRIMARY KEY NOT NULL,
	"file_name" text NOT NULL,
	"machine" text NOT NULL,
	"scheduled" boolean NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"made_at" timestamp with time zone,
	"bytes" bigint,
	"row_count" bigint,
	"file_count" integer,
	"sha256" text,
	"proven_at" timestamp with time zone,
	"error" text
);
--> statement-breakpoint
CREATE INDEX "backups_newest" ON "backups" USING btree ("started_at");