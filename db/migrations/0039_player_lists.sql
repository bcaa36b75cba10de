CREATE TABLE "gameserver_player_lists" (
	"server_id" integer PRIMARY KEY NOT NULL,
	"names" text[] DEFAULT '{}'::text[] NOT NULL,
	"name_keys" text[] DEFAULT '{}'::text[] NOT NULL,
	"told_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hidden_player_names" (
	"user_id" uuid NOT NULL,
	"player_name" text NOT NULL,
	"name_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "hidden_player_names_user_id_name_key_pk" PRIMARY KEY("user_id","name_key")
);
--> statement-breakpoint
ALTER TABLE "gameserver" ADD COLUMN "player_list" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "gameserver_player_lists" ADD CONSTRAINT "gameserver_player_lists_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hidden_player_names" ADD CONSTRAINT "hidden_player_names_user_id_users_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "hidden_player_names_key" ON "hidden_player_names" USING btree ("name_key");