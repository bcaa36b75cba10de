ALTER TABLE "games" ADD COLUMN "catalogue_id" text;--> statement-breakpoint
ALTER TABLE "games" ADD COLUMN "join_link" text;--> statement-breakpoint
ALTER TABLE "games" ADD CONSTRAINT "games_catalogue_id_unique" UNIQUE("catalogue_id");