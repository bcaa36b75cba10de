CREATE TABLE "gameserver_watch" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"watched_until" timestamp with time zone NOT NULL,
	CONSTRAINT "gameserver_watch_only" CHECK ("gameserver_watch"."only")
);
--> statement-breakpoint
CREATE TABLE "gameserver_watch_gap" (
	"gap_id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "gameserver_watch_gap_gap_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"server_id" integer,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	"reason" text NOT NULL,
	CONSTRAINT "gameserver_watch_gap_reason" CHECK ("gameserver_watch_gap"."reason" in ('maintenance', 'own_fault', 'not_watched', 'not_asked'))
);
--> statement-breakpoint
ALTER TABLE "gameserver_rollup_progress" ADD COLUMN "counted_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "gameserver_status_event" ADD COLUMN "last_answered_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "gameserver_status_event" ADD COLUMN "first_failed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "gameserver_status_event" ADD COLUMN "last_failed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "gameserver_status_event" ADD COLUMN "failures" smallint;--> statement-breakpoint
ALTER TABLE "gameserver_watch_gap" ADD CONSTRAINT "gameserver_watch_gap_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gameserver_watch_gap_of_server" ON "gameserver_watch_gap" USING btree ("server_id","starts_at");--> statement-breakpoint
CREATE UNIQUE INDEX "gameserver_watch_gap_open" ON "gameserver_watch_gap" USING btree ("server_id","reason") WHERE "gameserver_watch_gap"."ends_at" is null;