CREATE TABLE "gameserver_wait" (
	"server_id" integer PRIMARY KEY NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"watcher" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "gameserver_wait" ADD CONSTRAINT "gameserver_wait_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;