-- What was drawn for a game is kept like a picture that was uploaded for it; a game without one shows a landscape of the library.
UPDATE games SET banner = scene - 'shows' WHERE banner IS NULL AND scene IS NOT NULL
  AND coalesce(picture, game_slug) NOT IN ('aion', 'valheim', 'minecraft', 'projectzomboid', 'thefront', 'arksurvivalevolved', 'skyrimtogheter', 'tera');--> statement-breakpoint
ALTER TABLE "games" DROP COLUMN "scene";--> statement-breakpoint
ALTER TABLE "games" DROP COLUMN "scene_take";--> statement-breakpoint
ALTER TABLE "games" DROP COLUMN "scene_due_at";