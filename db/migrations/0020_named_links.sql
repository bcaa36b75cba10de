-- Since when each game server has been watched: its first sample, where samples of that time are still kept, else the start
-- of its first row of the narrowest width that still holds it.
UPDATE gameserver_live_metrics m SET first_asked_at = coalesce(
  (SELECT min(asked_at) FROM gameserver_sample s
    WHERE s.server_id = m.server_id AND s.asked_at < least(first_day + interval '1 day', first_hour + interval '1 hour')),
  CASE WHEN first_five < first_day + interval '1 day' THEN first_five END,
  CASE WHEN first_hour < first_day + interval '1 day' THEN first_hour END,
  first_day)
FROM (
  SELECT server_id,
    (SELECT min(starts_at) FROM gameserver_rollup_1d r WHERE r.server_id = l.server_id) AS first_day,
    (SELECT min(starts_at) FROM gameserver_rollup_1h r WHERE r.server_id = l.server_id) AS first_hour,
    (SELECT min(starts_at) FROM gameserver_rollup_5m r WHERE r.server_id = l.server_id) AS first_five
  FROM gameserver_live_metrics l
) known
WHERE known.server_id = m.server_id;
--> statement-breakpoint
-- The one download of before is a link by that name, which guides show by {link:download}.
UPDATE gameserver SET links = jsonb_build_array(jsonb_build_object(
    'name', 'download', 'label', jsonb_build_object('en', 'Download', 'de', 'Download'), 'url', download_url))
WHERE coalesce(download_url, '') <> '';
--> statement-breakpoint
-- A step may have several links, as boxes have.
UPDATE games SET
  guide = (
    SELECT coalesce(jsonb_agg(CASE WHEN step ? 'link' THEN (step - 'link') || jsonb_build_object('links', jsonb_build_array(step -> 'link'))
      ELSE step END ORDER BY place), '[]')
    FROM jsonb_array_elements(replace(guide::text, '{download}', '{link:download}')::jsonb) WITH ORDINALITY AS old (step, place)),
  guide_boxes = replace(guide_boxes::text, '{download}', '{link:download}')::jsonb;
--> statement-breakpoint
-- Discord's own front page was the default before there was none: it leads to no community.
DELETE FROM site_settings WHERE setting_key = 'discord_url' AND setting_value IN ('"https://discord.com/"', '"https://discord.com"');
