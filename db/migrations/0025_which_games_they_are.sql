-- Which game of the catalogue each game is that a site started with: until now a new site was given all eight.
UPDATE games SET catalogue_id = game_slug
WHERE game_slug IN ('aion', 'valheim', 'minecraft', 'projectzomboid', 'thefront', 'arksurvivalevolved', 'skyrimtogheter', 'tera');
--> statement-breakpoint
UPDATE games SET join_link = 'steam://run/892970//+connect%20{host}:{port}' WHERE catalogue_id = 'valheim';
--> statement-breakpoint
UPDATE games SET join_link = 'steam://connect/{host}:{port}' WHERE catalogue_id = 'projectzomboid';
