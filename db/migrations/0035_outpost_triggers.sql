-- What an outpost was asked to look at, by a name that changes with every part of it: of another address, or another way to
-- ask, a result says nothing.
CREATE FUNCTION gameserver_target_key(g gameserver) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT md5(jsonb_build_array(g.adapter, g.host, g.game_port, g.query_port, g.adapter_options)::text)
$$;
--> statement-breakpoint
-- What an outpost sees changed: live_metrics, as where a figure of the game server changed.
CREATE FUNCTION outpost_results_notify() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids text;
BEGIN
  FOR ids IN
    SELECT string_agg(server_id::text, ',')
    FROM (SELECT server_id, (row_number() OVER (ORDER BY server_id) - 1) / 1000 AS part FROM changed WHERE ok) AS parts
    GROUP BY part
  LOOP
    PERFORM pg_notify('live_metrics', ids);
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER outpost_results_made AFTER INSERT ON outpost_results
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION outpost_results_notify();
--> statement-breakpoint
CREATE TRIGGER outpost_results_removed AFTER DELETE ON outpost_results
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION outpost_results_notify();
--> statement-breakpoint
CREATE FUNCTION outpost_results_notify_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids text;
BEGIN
  FOR ids IN
    SELECT string_agg(server_id::text, ',')
    FROM (
      SELECT new_rows.server_id, (row_number() OVER (ORDER BY new_rows.server_id) - 1) / 1000 AS part
      FROM new_rows JOIN old_rows USING (outpost_id, server_id)
      WHERE (old_rows.ok, old_rows.target_key) IS DISTINCT FROM (new_rows.ok, new_rows.target_key)
    ) AS changed
    GROUP BY part
  LOOP
    PERFORM pg_notify('live_metrics', ids);
  END LOOP;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER outpost_results_changed AFTER UPDATE ON outpost_results
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION outpost_results_notify_changed();
