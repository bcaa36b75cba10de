ALTER TABLE "games" ADD COLUMN "scene" jsonb;--> statement-breakpoint
ALTER TABLE "games" ADD COLUMN "scene_take" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "games" ADD COLUMN "scene_due_at" timestamp with time zone DEFAULT now();