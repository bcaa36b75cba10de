CREATE TABLE "news" (
	"news_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "news_news_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"slug" text NOT NULL,
	"title" jsonb NOT NULL,
	"text" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"scope" text DEFAULT 'site' NOT NULL,
	"published" boolean DEFAULT false NOT NULL,
	"pinned" boolean DEFAULT false NOT NULL,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"told_at" timestamp with time zone,
	"author_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "news_slug_unique" UNIQUE("slug"),
	CONSTRAINT "news_scope" CHECK ("news"."scope" in ('site', 'some')),
	CONSTRAINT "news_published_since" CHECK (not "news"."published" or "news"."starts_at" is not null),
	CONSTRAINT "news_ends_later" CHECK ("news"."ends_at" > "news"."starts_at"),
	CONSTRAINT "news_has_title" CHECK ("news"."title" <> '{}'::jsonb)
);
--> statement-breakpoint
CREATE TABLE "news_about" (
	"about_id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "news_about_about_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"news_id" integer NOT NULL,
	"game_id" integer,
	"server_id" integer,
	CONSTRAINT "news_about_once" UNIQUE NULLS NOT DISTINCT("news_id","game_id","server_id"),
	CONSTRAINT "news_about_one" CHECK (num_nonnulls("news_about"."game_id", "news_about"."server_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "news" ADD CONSTRAINT "news_author_id_users_user_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("user_id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "news_about" ADD CONSTRAINT "news_about_news_id_news_news_id_fk" FOREIGN KEY ("news_id") REFERENCES "public"."news"("news_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "news_about" ADD CONSTRAINT "news_about_game_id_games_game_id_fk" FOREIGN KEY ("game_id") REFERENCES "public"."games"("game_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "news_about" ADD CONSTRAINT "news_about_server_id_gameserver_server_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."gameserver"("server_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "news_newest" ON "news" USING btree ("starts_at","news_id");--> statement-breakpoint
CREATE INDEX "news_of_author" ON "news" USING btree ("author_id");--> statement-breakpoint
CREATE INDEX "news_to_tell" ON "news" USING btree ("starts_at") WHERE "news"."published" and "news"."told_at" is null;--> statement-breakpoint
CREATE INDEX "news_about_game" ON "news_about" USING btree ("game_id");--> statement-breakpoint
CREATE INDEX "news_about_server" ON "news_about" USING btree ("server_id");